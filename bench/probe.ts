/** Loaded into the server beside its own program, to answer what only the process itself knows. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerQuestions, processUsage } from './answer-questions.ts';

let session: Session | undefined;
let delay: IntervalHistogram | undefined;

answerQuestions({
  usage: processUsage,
  /** Bytes that are in use after a garbage collection, buffers included. */
  collect() {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc === 'function') gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  watchLoop() {
    delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
  },
  /** The longest time that the event loop was held up since `watchLoop`, in milliseconds. */
  longestStallMs() {
    delay?.disable();
    return (delay?.max ?? 0) / 1e6;
  },
  async startProfile() {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  },
  async writeProfile(file: string) {
    const stopped = await session?.post('Profiler.stop');
    session?.disconnect();
    await writeFile(file, JSON.stringify(stopped?.profile));
  },
});

// The server must not outlive the benchmark. It stops itself as an operator would stop it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
