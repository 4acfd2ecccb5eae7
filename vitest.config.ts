import { defineConfig } from 'vitest/config'

/** What all tests have in common. Some only wait, for leases or for time to pass: a third runs on two cores meanwhile. */
export const common = {
  pool: 'forks',
  maxWorkers: 3,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // How long `expect.poll` waits: on a busy machine a second is soon over.
  expect: { poll: { timeout: 60_000 } },
} as const

export default defineConfig({
  test: {
    ...common,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            'server/src/features/**/*.test.ts',
            'server/src/entry/{http,connection,worker}/**/*.test.ts',
            'test/spec/**/*.test.ts',
          ],
          globalSetup: ['test/helpers/database-cluster.ts'],
          setupFiles: ['test/helpers/property-seed.ts'],
          // Files share a process and what it has loaded: loading the service for each anew took a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [
            '{contract,simulator,sdk,panel}/src/**/*.test.ts',
            'server/src/{base,entry/command}/**/*.test.ts',
            'test/*.test.ts',
            'test/{e2e,faults}/**/*.test.ts',
          ],
          globalSetup: ['test/helpers/database-cluster.ts'],
          setupFiles: ['test/helpers/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/helpers/chromium.ts', 'test/helpers/demo-folder.ts'],
        },
      },
    ],
  },
})
