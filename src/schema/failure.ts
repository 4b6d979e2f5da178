import type { Failure } from '../swarm/domain/fault.ts';
import { builder } from './builder.ts';

export const FAILURE_COLUMNS = { failureCode: true, failureMessage: true, failureIsRetryable: true } as const;

interface FailureColumns {
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly failureIsRetryable: boolean | null;
}

/** The failure that a row holds; null when it holds none. */
export function failureOf({ failureCode, failureMessage, failureIsRetryable }: FailureColumns): Failure | null {
  if (failureCode === null) return null;
  return { code: failureCode, message: failureMessage ?? '', isRetryable: failureIsRetryable === true };
}

export const FailureRef = builder.objectRef<Failure>('Failure').implement({
  description: 'Why something was not done. `code` is stable; `message` is for people.',
  fields: (t) => ({
    code: t.exposeString('code'),
    message: t.exposeString('message'),
    isRetryable: t.exposeBoolean('isRetryable', { description: 'The same request may succeed later.' }),
  }),
});
