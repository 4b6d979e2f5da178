/** As the driver adapters keep it; PGlite's knows the plain one only. */
interface Cause {
  readonly originalCode?: unknown;
  readonly code?: unknown;
}

/** Postgres's five-character code of a failed statement; undefined when the failure did not come from a statement. */
export function sqlStateOf(error: unknown): string | undefined {
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: Cause } }; cause?: Cause };
  const { originalCode, code: plainCode } = meta?.driverAdapterError?.cause ?? cause ?? {};
  const code = originalCode ?? plainCode;
  return typeof code === 'string' ? code : undefined;
}

/**
 * The statement itself is refused and would be again: data exceptions (22), constraints (23), raised by a trigger (P0).
 * All else (connections, shutdown, resources, deadlocks) passes.
 * Source: postgresql.org/docs/current/errcodes-appendix.html
 */
export function isRefusedStatement(error: unknown): boolean {
  return ['22', '23', 'P0'].includes(sqlStateOf(error)?.slice(0, 2) ?? '');
}
