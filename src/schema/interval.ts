import { invalidInput } from './request-error.ts';

/** Throws INVALID_INPUT for milliseconds out of bounds. */
export function checkInterval(name: string, ms: number, min: number, max: number): void {
  if (ms < min || ms > max) throw invalidInput(`${name} is ${ms}; give milliseconds from ${min} to ${max}.`);
}
