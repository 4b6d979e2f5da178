import type { BenchDatabase } from './bench-database.ts';
import type { Child } from './children.ts';
import { ANSWER, type GatewayLoad } from './gateway-load.ts';
import type { BenchOptions } from './options.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import { startWaggleProcess, type WaggleProcess } from './waggle-process.ts';

/** What the measurements of one database share. */
export interface Stage {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly sandbox: SandboxProcess;
  readonly contender: Child;
}

export function loadOf({ tokensPerSecond }: BenchOptions, latencyMs: number): GatewayLoad {
  return { ...ANSWER, latencyMs, tokensPerSecond };
}

/** Gives a fresh server to `work`, and ends it whatever comes. */
export async function withServer<T>(
  { database, sandbox }: Stage,
  work: (waggle: WaggleProcess) => Promise<T>,
): Promise<T> {
  const waggle = await startWaggleProcess(database, sandbox.baseUrl);
  try {
    return await work(waggle);
  } finally {
    await waggle.end();
  }
}
