import type { Distribution } from '../swarm/store/read-latencies.ts';
import { builder } from './builder.ts';

export const DistributionRef = builder.objectRef<Distribution>('Distribution').implement({
  description: 'Exact percentiles, not samples.',
  fields: (t) => ({
    mean: t.exposeFloat('mean'),
    p50: t.exposeFloat('p50'),
    p95: t.exposeFloat('p95'),
    p99: t.exposeFloat('p99'),
    max: t.exposeFloat('max'),
  }),
});
