/**
 * The makespan of a scheduler without any overhead: `slots` at work at once, first in, first out, a free slot filled at
 * once. No scheduler that keeps the order can be faster. Milliseconds.
 */
export function makespanMs(latenciesMs: readonly number[], slots: number): number {
  const freeAt = new Array<number>(Math.max(1, Math.min(slots, latenciesMs.length))).fill(0);
  for (const latencyMs of latenciesMs) replaceFirst(freeAt, (freeAt[0] ?? 0) + latencyMs);
  return Math.max(...freeAt);
}

/** Replaces the least number of a binary heap. */
function replaceFirst(heap: number[], value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    const least = heap[child] ?? 0;
    if (least >= value) break;
    heap[at] = least;
    at = child;
  }
  heap[at] = value;
}

/** The same for batches of `size`, each of which waits for the slowest of the one before. */
export function batchMakespanMs(latenciesMs: readonly number[], size: number): number {
  let sum = 0;
  for (let from = 0; from < latenciesMs.length; from += size) sum += Math.max(...latenciesMs.slice(from, from + size));
  return sum;
}
