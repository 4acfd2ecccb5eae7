import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,simulator}/src/**/*.test.ts', 'test/*.test.ts', 'test/{spec,e2e,faults}/**/*.test.ts'],
    globalSetup: ['test/helpers/database-cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
