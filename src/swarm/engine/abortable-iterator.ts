/**
 * An iterator over a generator that waits. `return()` ends it even while a `next()` is pending: a plain generator would
 * queue the return behind that next, and wait for ever when its client is gone.
 */
export function abortableIterator<T>(
  make: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  signal: AbortSignal,
): AsyncIterableIterator<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
    signal.removeEventListener('abort', abort);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  const generator = make(controller.signal);
  const next = async (): Promise<IteratorResult<T>> => {
    const result = await generator.next();
    if (result.done === true) abort();
    return result;
  };
  return {
    next,
    return: async () => {
      abort();
      await generator.return();
      return { done: true, value: undefined };
    },
    throw: async (error: unknown) => {
      abort();
      await generator.return();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
