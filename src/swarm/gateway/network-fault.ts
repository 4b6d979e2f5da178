import { errors } from 'undici';
import type { Fault } from '../domain/fault.ts';

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Undefined: an error that no network makes, so a bug. */
export function networkCode(error: unknown): string | undefined {
  // Its code may be missing.
  if (error instanceof errors.HTTPParserError) return 'HPE_INVALID';
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // What only wrong arguments or wrong use of undici raise.
  if (error.code === 'UND_ERR_INVALID_ARG' || error.code === 'ERR_ASSERTION') return undefined;
  return error.code;
}

function reasonOf(code: string, host: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${host}. Check GATEWAY_BASE_URL, and that the gateway runs.`;
    case 'ENOTFOUND':
      return `There is no host ${host}. Check GATEWAY_BASE_URL.`;
    case 'EAI_AGAIN':
      return `The name server does not tell where ${host} is. Check this machine's network.`;
    case 'EMFILE':
    case 'ENFILE':
      return 'This machine allows no more open connections. Raise its limit (ulimit -n), or lower the concurrency.';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${host} cannot be reached. Check GATEWAY_BASE_URL and this machine's network.`;
    default:
      if (TLS.test(code)) {
        return `No secure connection to ${host} came about. Check GATEWAY_BASE_URL and the gateway's certificate.`;
      }
      if (code.startsWith('HPE_')) return `What ${host} answers is no HTTP. Check GATEWAY_BASE_URL.`;
      return `The connection to ${host} was closed before an answer came. Try again later.`;
  }
}

/** For those who look it up; undici's own codes say nothing to anybody. */
function suffixOf(code: string): string {
  return code.startsWith('UND_') ? '' : ` (${code})`;
}

/** A connection that did not come about, or broke before the answer began. `host`: with its port, as configured. */
export function connectionFault(code: string, host: string): Fault {
  return { kind: 'connection-failed', message: `${reasonOf(code, host)}${suffixOf(code)}` };
}

/** A connection that broke in the middle of the answer. */
export function brokenFault(code: string): Fault {
  return { kind: 'stream-broken', message: `The gateway broke off in the middle of its answer.${suffixOf(code)}` };
}
