/**
 * Ids are typed, sortable and the same in SQL, logs and GraphQL: a TypeID for what has a row of its own
 * (`swarm_01h…`), and for agents and attempts the swarm's suffix with their place in it: `agent_01h…_7`,
 * `attempt_01h…_7_2`. The swarm's own attempts (its fusion) have the agent index -1, written `fuse`.
 */
const TYPE_ID = /^([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{25})$/;
const AGENT_ID = /^agent_([0-7][0-9a-hjkmnp-tv-z]{25})_(\d{1,6})$/;
const ATTEMPT_ID = /^attempt_([0-7][0-9a-hjkmnp-tv-z]{25})_(\d{1,6}|fuse)_(\d{1,6})$/;

export const FUSION_INDEX = -1;

function suffixOf(swarmId: string): string {
  return swarmId.slice('swarm_'.length);
}

export function agentId(swarmId: string, index: number): string {
  return `agent_${suffixOf(swarmId)}_${index}`;
}

export function attemptId(swarmId: string, agentIndex: number, number: number): string {
  return `attempt_${suffixOf(swarmId)}_${agentIndex === FUSION_INDEX ? 'fuse' : agentIndex}_${number}`;
}

/** The kind of thing a TypeID names (`swarm`, `rule`, …); undefined when it is none. */
export function typeOfId(id: string): string | undefined {
  if (AGENT_ID.test(id)) return 'agent';
  if (ATTEMPT_ID.test(id)) return 'attempt';
  return TYPE_ID.exec(id)?.[1];
}

export function parseAgentId(id: string): { swarmId: string; index: number } | undefined {
  const [, suffix, index] = AGENT_ID.exec(id) ?? [];
  return suffix === undefined ? undefined : { swarmId: `swarm_${suffix}`, index: Number(index) };
}

export function parseAttemptId(id: string): { swarmId: string; agentIndex: number; number: number } | undefined {
  const [, suffix, index, number] = ATTEMPT_ID.exec(id) ?? [];
  if (suffix === undefined) return undefined;
  return {
    swarmId: `swarm_${suffix}`,
    agentIndex: index === 'fuse' ? FUSION_INDEX : Number(index),
    number: Number(number),
  };
}
