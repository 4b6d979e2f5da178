const TWO_32 = 4_294_967_296;

/** 53-bit hash of a text (cyrb53, public domain). `start` chains the hashes of several texts. */
export function hashText(text: string, start = 0): number {
  let a = 0xdeadbeef ^ (start >>> 0);
  let b = 0x41c6ce57 ^ Math.floor(start / TWO_32);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return TWO_32 * (b & 0x1fffff) + (a >>> 0);
}

/** Mixes whole numbers (up to 53 bits) to an evenly spread 32-bit one. */
export function mix(...parts: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const part of parts) {
    h = scramble(h ^ (part >>> 0));
    h = scramble(h ^ Math.floor(part / TWO_32));
  }
  return h >>> 0;
}

function scramble(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) + 0x6d2b79f5;
}

/** A number of [0, 1) that depends on the parts alone. */
export function uniform(...parts: readonly number[]): number {
  return mix(...parts) / TWO_32;
}

/** A standard normal number that depends on the parts alone (Box-Muller). */
export function normal(...parts: readonly number[]): number {
  const radius = Math.sqrt(-2 * Math.log(1 - uniform(...parts, 1)));
  return radius * Math.cos(2 * Math.PI * uniform(...parts, 2));
}

/** A sequence of numbers of [0, 1): the same for the same seed (mulberry32, public domain). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / TWO_32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  shuffle<T>(list: readonly T[]): T[] {
    const keyed = list.map((value) => ({ value, key: this.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}
