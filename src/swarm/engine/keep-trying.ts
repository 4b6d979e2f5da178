import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusedStatement } from '../store/sql-state.ts';
import type { Log } from './log.ts';

const RETRY_MS = [50, 100, 250, 500, 1_000, 2_000] as const;

/**
 * Reads until the database answers: a run outlives a database that is away for a while. What the database refuses
 * outright is thrown.
 */
export async function keepTrying<T>(read: () => Promise<T>, log: Log, what: string): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      if (isRefusedStatement(error)) throw error;
      log.warn({ err: error }, `The database did not answer (${what}); it is asked again.`);
      await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
    }
  }
}
