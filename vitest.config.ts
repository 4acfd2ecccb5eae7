import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { isUnitTest } from './test/helpers/runner/is-unit-test.ts'
import { LongestFirst } from './test/helpers/runner/longest-first.ts'
import { waitLimitMs } from './test/helpers/runner/wait-limit.ts'

/** `npm test` leaves out *.long.test.ts, `npm run test:all` takes all, and CI takes `added` after `npm test`. */
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

/** Many rounds that a change rarely breaks, minutes each: `npm run test:faults` has them with even more rounds. */
const nightly =
  /^test\/faults\/.*(kill|many-kills|connected-only|paused-worker|real-time|half-million)[\w.-]*\.test\.ts$/

const patterns = [
  '{contract,sdk,panel,server,simulator}/src/**/*.test.ts',
  'test/{,{spec,e2e,faults,browser,earlier-version}/**/}*.test.ts',
]
const files = globSync(patterns).filter(isInPart)

function isInPart(file: string): boolean {
  if (part === 'all') return true
  return part === 'usual' ? !file.endsWith('.long.test.ts') : isAdded(file)
}

/** Files of which `npm test` leaves out tests. Those that only do more rounds in `npm run test:all` are not among them. */
function isAdded(file: string): boolean {
  if (nightly.test(file)) return false
  return file.endsWith('.long.test.ts') || readFileSync(file, 'utf8').includes('isThorough')
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
