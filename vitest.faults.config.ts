import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The tests of test/faults/, for longer: many more kills and fuzzed requests. */
export default defineConfig({
  test: {
    ...common,
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/helpers/database-cluster.ts'],
    env: { PEYK_TEST_EFFORT: 'long' },
    testTimeout: 1_800_000,
  },
})
