import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

const HOUR = 3_600_000

/** A whole cluster on this machine: many processes, and minutes of faults. One test at a time. */
export default defineConfig({
  test: {
    ...common,
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/helpers/programs/nats.ts'],
    maxWorkers: 1,
    testTimeout: HOUR,
    hookTimeout: HOUR,
    disableConsoleIntercept: true,
  },
})
