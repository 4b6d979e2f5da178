import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql, whether a test or a dependency imports it.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Two cores: more forks than that make every one of them slower.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default'],
  },
});
