/** What the CLI reads of a batch of the API's `swarmEvents`. */
export interface Batch {
  readonly cursor: string;
  readonly status: string;
  readonly costUsd: string;
  readonly progress: Progress;
  readonly events: readonly WatchedEvent[];
}

export interface Progress {
  readonly total: number;
  readonly running: number;
  readonly waiting: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  readonly skipped: number;
}

export interface WatchedEvent {
  readonly sequence: number;
  readonly agentId?: string;
  readonly agentKey?: string;
  readonly agentStatus?: string;
  readonly swarmStatus?: string;
}

export const WATCH = `subscription Watch($id: ID!, $after: EventCursor, $heartbeatMs: Int!) {
  swarmEvents(swarmId: $id, after: $after, heartbeatMs: $heartbeatMs, minIntervalMs: 100) {
    cursor status costUsd
    progress { total running waiting succeeded failed canceled skipped }
    events { sequence ... on AgentStatusChanged { agentId agentKey agentStatus } ... on SwarmStatusChanged { swarmStatus } }
  }
}`;

export const ENDED = ['SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELED'];
