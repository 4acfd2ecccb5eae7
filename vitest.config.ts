import { globSync, readFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { isUnitTest } from '@peyk/test/runner/is-unit-test.ts'
import { LongestFirst } from '@peyk/test/runner/longest-first.ts'
import { waitLimitMs } from '@peyk/test/runner/wait-limit.ts'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** `npm test` leaves out *.long.test.ts, `npm run test:all` takes all, and CI takes `added` after `npm test`. */
const part = (process.env.PEYK_TEST_PART ?? 'usual') as 'usual' | 'added' | 'all'

const cores = availableParallelism()
/** A worker with the processes that its tests start: services, parts of PostgreSQL. */
const workerBytes = 2 ** 31
/** Tests wait much of their time: two workers per core, while there is memory for them. */
const maxWorkers = Math.max(2, Math.min(2 * cores, Math.floor(freemem() / workerBytes)))
/** A browser and the service that it looks at keep about one core busy. Nothing else runs beside them. */
const maxBrowsers = Math.min(maxWorkers, cores)

export const common = {
  pool: 'forks',
  maxWorkers,
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
  'panel/src/**/*.test.tsx',
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

function isBrowserTest(file: string): boolean {
  return file.startsWith('test/browser/')
}

/** It draws a part of the panel in a window that is simulated. */
function isComponentTest(file: string): boolean {
  return file.endsWith('.test.tsx')
}

const setups = ['test/helpers/database/database-cluster.ts', 'test/helpers/service/prepared-root.ts']

/** Node imports the files itself: Vite would transform them for every run, which takes a quarter longer. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } } satisfies ViteUserConfig['test']
const compileCache = 'test/helpers/runner/compile-cache.ts'

const service = {
  ...native,
  setupFiles: [
    compileCache,
    'test/helpers/runner/end-with-runner.ts',
    'test/helpers/runner/property-seed.ts',
    'test/helpers/runner/cheap-passwords.ts',
    'test/helpers/database/second-connections.ts',
  ],
  // Files share a process and the modules it has loaded: loading the service for each file took a third of the time.
  isolate: false,
} satisfies ViteUserConfig['test']

export default defineConfig({
  test: {
    ...common,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...native,
          include: files.filter((file) => isUnitTest(file) && !isComponentTest(file)),
          setupFiles: [compileCache, 'test/helpers/runner/property-seed.ts', 'test/helpers/runner/cheap-passwords.ts'],
          isolate: false,
          maxWorkers: cores,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: files.filter(isComponentTest),
          environment: 'happy-dom',
          setupFiles: 'panel/src/testing/setup.test-support.ts',
          // The clock is not that of UTC, and a failure shows a page's beginning only.
          env: { TZ: 'Asia/Tehran', DEBUG_PRINT_LIMIT: '2000' },
          isolate: false,
          maxWorkers: cores,
        },
      },
      {
        extends: true,
        test: {
          ...service,
          name: 'service',
          include: files.filter((file) => !isUnitTest(file) && !isBrowserTest(file) && !isComponentTest(file)),
          globalSetup: [...setups, 'test/helpers/programs/mosquitto.ts', 'test/helpers/programs/nats.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...service,
          name: 'browser',
          include: files.filter(isBrowserTest),
          globalSetup: [...setups, 'test/helpers/programs/chromium.ts', 'test/helpers/service/demo-folder.ts'],
          maxWorkers: maxBrowsers,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
