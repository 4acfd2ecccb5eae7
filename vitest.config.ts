import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { isUnitTest } from './test/helpers/runner/is-unit-test.ts'
import { LongestFirst } from './test/helpers/runner/longest-first.ts'
import { waitLimitMs } from './test/helpers/runner/wait-limit.ts'

/** `npm test` leaves out *.long.test.ts; `npm run test:all` takes all; of these, `added` is what `npm test` has not done. */
const part = (process.env.PEYK_TEST_PART ?? 'usual') as 'usual' | 'added' | 'all'

/** What all tests have in common. Some only wait, for leases or for time to pass: on two cores, others run meanwhile. */
export const common = {
  pool: 'forks',
  maxWorkers: 4,
  // Waits for a condition give up long before: this ends what hangs.
  testTimeout: (part === 'usual' ? 5 : 10) * waitLimitMs,
  hookTimeout: 3 * waitLimitMs,
  includeTaskLocation: true,
  expect: { poll: { timeout: waitLimitMs } },
  reporters: ['default', './test/helpers/runner/closing-reporter.ts'],
} satisfies ViteUserConfig['test']

const patterns = [
  '{contract,sdk,panel,server,simulator}/src/**/*.test.ts',
  'test/{,{spec,e2e,faults,browser,earlier-version}/**/}*.test.ts',
]
const files = globSync(patterns).filter(isInPart)

function isInPart(file: string): boolean {
  if (part === 'all') return true
  return part === 'usual' ? !file.endsWith('.long.test.ts') : doesMore(file)
}

/** Whether the file does more in `npm run test:all`: all of it, more rounds, or other cases of a property. */
function doesMore(file: string): boolean {
  return (
    file.endsWith('.long.test.ts') || /helpers\/runner\/effort\.ts'|from 'fast-check'/.test(readFileSync(file, 'utf8'))
  )
}

export default defineConfig({
  test: {
    ...common,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: files.filter(isUnitTest),
          setupFiles: ['test/helpers/runner/property-seed.ts', 'test/helpers/runner/cheap-passwords.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: files.filter((file) => !isUnitTest(file)),
          globalSetup: [
            'test/helpers/database/database-cluster.ts',
            'test/helpers/service/prepared-root.ts',
            'test/helpers/programs/mosquitto.ts',
            'test/helpers/programs/nats.ts',
            'test/helpers/programs/chromium.ts',
            'test/helpers/service/demo-folder.ts',
          ],
          setupFiles: [
            'test/helpers/runner/end-with-runner.ts',
            'test/helpers/runner/property-seed.ts',
            'test/helpers/runner/cheap-passwords.ts',
            'test/helpers/database/second-connections.ts',
          ],
          // Files share a process and what it has loaded: loading the service for each anew took a third of the time.
          isolate: false,
        },
      },
    ],
  },
})
