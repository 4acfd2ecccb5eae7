import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests of test/faults/, for longer: many more kills and fuzzed requests. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: ['test/faults/**/*.test.ts'] } },
  defineConfig({ test: { env: { PEYK_TEST_EFFORT: 'long' }, testTimeout: 1_800_000 } }),
)
