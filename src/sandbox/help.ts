import { BEHAVIOUR_FIELDS, FAULTS } from './behaviour.ts';

const INDENT = '  ';

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${INDENT}${name.padEnd(width)}  ${text}`).join('\n');
}

/** What a prompt can ask the sandbox for. */
export function directivesHelp(): string {
  const keys = Object.values(BEHAVIOUR_FIELDS).map(({ key, help }) => [`${key}=`, help] as const);
  return `Directives: put [[sandbox: key=value …]] into a prompt, several if need be. Quote values with spaces ("…", with
JSON escapes). [[sandbox: fault=rate_limit retry_after=2 times=2]] refuses an agent's first two requests.

${table([...keys, ['times=', 'only for the first so many requests of an agent']])}

Faults:

${table(Object.entries(FAULTS))}
`;
}
