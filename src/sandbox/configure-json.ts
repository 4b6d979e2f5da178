import { checkSettings, SandboxOptionsError } from './check-settings.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { changeSettings } from './settings.ts';
import type { SandboxState } from './state.ts';

/** Changes settings by the body of `POST /sandbox/configure`: an object of options, in which null gives the default back. */
export function changeByJson(state: SandboxState, body: string): Pick<Refusal, 'status' | 'body'> {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    given = undefined;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuseRequest('The body must be a JSON object of options.');
  }
  const change = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined]));
  try {
    checkSettings(change);
  } catch (error) {
    if (error instanceof SandboxOptionsError) return refuseRequest(error.message);
    throw error;
  }
  state.change(changeSettings(state.settings, change));
  return { status: 200, body: JSON.stringify({ configured: Object.keys(change) }) };
}
