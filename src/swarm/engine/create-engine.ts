import { Feed } from '../cluster/feed.ts';
import type { SwarmEvent } from '../domain/event.ts';
import { isEndedAgent } from '../domain/status.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Database } from '../store/database.ts';
import { findTenant } from '../store/find-tenant.ts';
import { abortableIterator } from './abortable-iterator.ts';
import { CatalogCache } from './catalog-cache.ts';
import { cancelSwarm, pauseSwarm, resumeSwarm } from './change.ts';
import type { Engine } from './engine.ts';
import { follow } from './follow.ts';
import { followOutput } from './follow-output.ts';
import { Journal } from './journal.ts';
import { launch } from './launch.ts';
import type { Log } from './log.ts';
import { RecentEvents } from './recent-events.ts';
import { Worker } from './worker.ts';

export interface EngineConfig {
  readonly database: Pick<Database, 'prisma' | 'driver'>;
  readonly gateway: Gateway;
  readonly log: Log;
  readonly clock?: () => Date;
  readonly random?: () => number;
}

/** An engine with the ends that only the composition root holds. */
export interface RunningEngine extends Engine {
  /** Takes up the swarms that an earlier process left open. Returns how many. */
  recover(): Promise<number>;
  /** Closes requests, writes all there is to write. Open swarms are left for the next process. */
  stop(): Promise<void>;
}

export function createEngine({
  database: { prisma, driver },
  gateway,
  log,
  clock = () => new Date(),
  random = Math.random,
}: EngineConfig): RunningEngine {
  const feed = new Feed();
  const recent = new RecentEvents();
  const catalog = new CatalogCache(prisma, clock);
  const onCommitted = (swarmId: string, events: readonly SwarmEvent[]) => {
    recent.add(swarmId, events);
    const live = worker.find(swarmId)?.live;
    for (const { data } of events) {
      if (data.type === 'agent-status' && isEndedAgent(data.agentStatus)) live?.forget(data.index);
    }
    feed.wake(swarmId);
  };
  const onFenced = (swarmId: string) => {
    log.warn({ swarmId }, 'Another process owns this swarm now; this one stops running it.');
    const failure = { code: 'FENCED', message: 'Another process owns the swarm.', isRetryable: true };
    worker.halt(swarmId, { kind: 'fenced', failure });
  };
  const journal = new Journal(driver, log, { onCommitted, onFenced });
  const parts = { prisma, journal, catalog, gateway, log, clock, random };
  const worker: Worker = new Worker(parts, (swarmId) => {
    recent.forget(swarmId);
    feed.wake(swarmId);
  });
  const liveOf = (swarmId: string) => worker.find(swarmId)?.live;
  return {
    async launch(input, caller) {
      const tenantId = caller.tenantId ?? (await findTenant(prisma));
      const result = await launch(input, tenantId, caller.apiKeyId, { prisma, catalog, clock });
      if (result.kind === 'launched' && !result.isReplay) worker.start(result.swarmId);
      return result;
    },
    cancelSwarm: (swarmId, reason, caller) => cancelSwarm(swarmId, reason, caller, { prisma, worker }),
    pauseSwarm: (swarmId, caller) => pauseSwarm(swarmId, caller, { prisma, worker }),
    resumeSwarm: (swarmId, caller) => resumeSwarm(swarmId, caller, { prisma, worker }),
    follow: (swarmId, after, options, signal) =>
      abortableIterator((own) => follow(swarmId, after, options, { prisma, feed, recent }, own), signal),
    followOutput: (swarmId, indexes, minIntervalMs, signal) =>
      abortableIterator((own) => followOutput(swarmId, indexes, minIntervalMs, { prisma, feed, liveOf }, own), signal),
    liveText: (swarmId, agentIndex) => liveOf(swarmId)?.textOf(agentIndex),
    catalog: () => catalog.current(),
    recover: () => worker.recover(),
    async stop() {
      await worker.stop();
      await journal.close();
    },
  };
}
