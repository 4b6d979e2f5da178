import type { Progress } from '../swarm/domain/progress.ts';
import { builder } from './builder.ts';

export const PROGRESS_COLUMNS = {
  total: true,
  queued: true,
  running: true,
  waiting: true,
  succeeded: true,
  failed: true,
  canceled: true,
  skipped: true,
} as const;

export const SwarmProgressRef = builder.objectRef<Progress>('SwarmProgress').implement({
  description: 'How many agents are in each state.',
  fields: (t) => ({
    total: t.exposeInt('total'),
    queued: t.exposeInt('queued'),
    running: t.exposeInt('running'),
    waiting: t.exposeInt('waiting'),
    succeeded: t.exposeInt('succeeded'),
    failed: t.exposeInt('failed'),
    canceled: t.exposeInt('canceled'),
    skipped: t.exposeInt('skipped'),
  }),
});
