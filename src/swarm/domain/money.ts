/** An amount in billionths of a dollar. */
export type NanoUsd = bigint;

const NANO = 1_000_000_000n;
const PLAIN_DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/;

/** "0.0012345" → 1_234_500n. Undefined when it is no plain decimal of at most nine decimals. */
export function parseUsd(text: string): NanoUsd | undefined {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const nano = BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}

/** 1_234_500n → "0.0012345": no exponent, no superfluous zeros. */
export function formatUsd(nano: NanoUsd): string {
  const sign = nano < 0n ? '-' : '';
  const absolute = nano < 0n ? -nano : nano;
  const fraction = (absolute % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${absolute / NANO}${fraction === '' ? '' : `.${fraction}`}`;
}
