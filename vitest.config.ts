import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Forked processes, so that a crash of the addon is the failure of one file and not of the run.
    pool: 'forks',
    maxWorkers: 2,
  },
});
