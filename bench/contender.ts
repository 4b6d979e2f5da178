/** The other contenders, in a process of their own: a bare loop of undici and p-limit, and batches with a barrier. */
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { answerQuestions, processUsage } from './answer-questions.ts';
import { MODEL, promptOf } from './prompt.ts';
import { readAnswer } from './read-answer.ts';

export interface ContenderRun {
  readonly baseUrl: string;
  readonly agents: number;
  /** Requests at once. */
  readonly width: number;
}

export interface ContenderResult {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
}

const pools = new Map<string, Pool>();

/** Kept from run to run, as the server keeps its own. */
function poolFor({ baseUrl, width }: ContenderRun): Pool {
  const key = `${baseUrl} ${width}`;
  const { origin } = new URL(baseUrl);
  const options = { connections: width, pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 };
  const pool = pools.get(key) ?? new Pool(origin, options);
  pools.set(key, pool);
  return pool;
}

/** Asks what Waggle asks for the agent of this index, and reads the whole answer. Resolves with its length. */
async function askOne(pool: Pool, path: string, index: number): Promise<number> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-waggle-agent-id': `bench_${index}` },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: promptOf(index) }],
      temperature: 0.7,
      max_tokens: 2_048,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  const answer = await readAnswer(body);
  if (statusCode !== 200 || answer.completionTokens === 0) throw new Error(`Agent ${index}: ${statusCode}, no answer.`);
  return answer.text.length;
}

async function measure(run: ContenderRun, work: (pool: Pool, path: string) => Promise<unknown>) {
  const pool = poolFor(run);
  const path = `${new URL(run.baseUrl).pathname}/chat/completions`;
  const cpuBefore = processUsage().cpuMs;
  const startedAt = performance.now();
  await work(pool, path);
  const wallMs = performance.now() - startedAt;
  const { cpuMs, peakBytes } = processUsage();
  return { wallMs, cpuMs: cpuMs - cpuBefore, peakBytes } satisfies ContenderResult;
}

const indexesFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

answerQuestions({
  bare: (run: ContenderRun) =>
    measure(run, (pool, path) => {
      const limit = pLimit(run.width);
      return Promise.all(indexesFrom(0, run.agents).map((index) => limit(() => askOne(pool, path, index))));
    }),
  batches: (run: ContenderRun) =>
    measure(run, async (pool, path) => {
      for (let from = 0; from < run.agents; from += run.width) {
        const indexes = indexesFrom(from, Math.min(run.agents, from + run.width));
        await Promise.all(indexes.map((index) => askOne(pool, path, index)));
      }
    }),
});

process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
