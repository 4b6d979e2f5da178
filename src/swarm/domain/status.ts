/**
 * QUEUED → PLANNING → RUNNING → FUSING → SUCCEEDED | PARTIAL | FAILED; CANCELED from every open state at once; PAUSED
 * by the caller or the budget, and from there back to RUNNING. An ended swarm never leaves its state.
 */
export type SwarmStatus =
  | 'QUEUED'
  | 'PLANNING'
  | 'RUNNING'
  | 'FUSING'
  | 'PAUSED'
  | 'SUCCEEDED'
  | 'PARTIAL'
  | 'FAILED'
  | 'CANCELED';

/**
 * QUEUED → RUNNING ⇄ WAITING (between two attempts) → SUCCEEDED | FAILED | CANCELED; SKIPPED: never sent, or not sent
 * again. An agent whose process died while it was RUNNING is found WAITING by the next one.
 */
export type AgentStatus = 'QUEUED' | 'RUNNING' | 'WAITING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'SKIPPED';

/** LOST: its process died, so nobody knows how it ended. */
export type AttemptStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'CANCELED' | 'LOST';
export type AttemptPurpose = 'AGENT' | 'PLAN' | 'FUSE' | 'JUDGE' | 'REPAIR';
export type FusionStrategy = 'NONE' | 'CONCAT' | 'SYNTHESIZE';
export type BudgetAction = 'FUSE_PARTIAL' | 'PAUSE' | 'FAIL';
export type CostSource = 'PRICED' | 'REPORTED' | 'ESTIMATED' | 'UNKNOWN' | 'CACHED';
export type Role = 'ADMIN' | 'MEMBER' | 'VIEWER';

const SWARM_STEPS: Record<SwarmStatus, readonly SwarmStatus[]> = {
  QUEUED: ['PLANNING', 'RUNNING', 'FUSING', 'PAUSED', 'FAILED', 'CANCELED'],
  PLANNING: ['RUNNING', 'PAUSED', 'FAILED', 'CANCELED'],
  RUNNING: ['FUSING', 'PAUSED', 'FAILED', 'CANCELED'],
  FUSING: ['PAUSED', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED'],
  PAUSED: ['QUEUED', 'RUNNING', 'FUSING', 'FAILED', 'CANCELED'],
  SUCCEEDED: [],
  PARTIAL: [],
  FAILED: [],
  CANCELED: [],
};

const AGENT_STEPS: Record<AgentStatus, readonly AgentStatus[]> = {
  QUEUED: ['RUNNING', 'CANCELED', 'SKIPPED', 'FAILED'],
  RUNNING: ['WAITING', 'SUCCEEDED', 'FAILED', 'CANCELED'],
  WAITING: ['RUNNING', 'FAILED', 'CANCELED', 'SKIPPED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELED: [],
  SKIPPED: [],
};

export function isEndedSwarm(status: SwarmStatus): boolean {
  return SWARM_STEPS[status].length === 0;
}

export function isEndedAgent(status: AgentStatus): boolean {
  return AGENT_STEPS[status].length === 0;
}

export function canSwarmStep(from: SwarmStatus, to: SwarmStatus): boolean {
  return SWARM_STEPS[from].includes(to);
}

export function canAgentStep(from: AgentStatus, to: AgentStatus): boolean {
  return AGENT_STEPS[from].includes(to);
}
