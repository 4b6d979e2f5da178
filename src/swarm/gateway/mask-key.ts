const SHOWN_AT_START = 6;
const SHOWN_AT_END = 4;
/** A shorter key would be told by what is shown of it. */
const SHORTEST_SHOWN = 16;

/** A key as it may be shown to its owner: `sk-abc…wxyz`, of a short one nothing but that it is there. */
export function maskKey(key: string): string {
  if (key.length < SHORTEST_SHOWN) return '…';
  return `${key.slice(0, SHOWN_AT_START)}…${key.slice(-SHOWN_AT_END)}`;
}
