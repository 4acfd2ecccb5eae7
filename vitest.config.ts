import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { waitLimitMs } from './test/helpers/wait-limit.ts'

/** What all tests have in common. Some only wait, for leases or for time to pass: a third runs on two cores meanwhile. */
export const common = {
  pool: 'forks',
  maxWorkers: 4,
  testTimeout: 2 * waitLimitMs,
  hookTimeout: 2 * waitLimitMs,
  includeTaskLocation: true,
  expect: { poll: { timeout: waitLimitMs } },
  reporters: ['default', './test/helpers/closing-reporter.ts'],
} satisfies ViteUserConfig['test']

/** `npm test` leaves out *.long.test.ts; `npm run test:all` takes all; of these, `added` is what `npm test` has not done. */
const part = (process.env.PEYK_TEST_PART ?? 'usual') as 'usual' | 'added' | 'all'

function files(...patterns: string[]): { include: string[]; exclude?: string[] } {
  if (part === 'all') return { include: patterns }
  if (part === 'usual') return { include: patterns, exclude: ['**/*.long.test.ts'] }
  return { include: globSync(patterns).filter(doesMore) }
}

/** Whether the file does more in `npm run test:all`: all of it, more rounds, or other cases of a property. */
function doesMore(file: string): boolean {
  return file.endsWith('.long.test.ts') || /helpers\/effort\.ts'|from 'fast-check'/.test(readFileSync(file, 'utf8'))
}

export default defineConfig({
  test: {
    ...common,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          ...files('{contract,sdk,panel}/src/**/*.test.ts', 'test/*.test.ts'),
          setupFiles: ['test/helpers/property-seed.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          ...files(
            'simulator/src/**/*.test.ts',
            'server/src/base/{*,http2/*,outbound/*,store/*}.test.ts',
            'server/src/features/**/*.test.ts',
            'server/src/entry/{http,connection,worker}/**/*.test.ts',
            'test/spec/**/*.test.ts',
          ),
          globalSetup: ['test/helpers/database-cluster.ts', 'test/helpers/mosquitto.ts'],
          setupFiles: ['test/helpers/property-seed.ts', 'test/helpers/cheap-passwords.ts'],
          // Files share a process and what it has loaded: loading the service for each anew took a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          ...files('server/src/{base/store/embedded,entry/command}/**/*.test.ts', 'test/{e2e,faults}/**/*.test.ts'),
          globalSetup: ['test/helpers/database-cluster.ts', 'test/helpers/prepared-root.ts'],
          setupFiles: ['test/helpers/property-seed.ts', 'test/helpers/cheap-passwords.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          ...files('test/browser/**/*.test.ts'),
          globalSetup: ['test/helpers/chromium.ts', 'test/helpers/demo-folder.ts'],
          // Files share a process, and with it a browser and a running demo.
          isolate: false,
        },
      },
    ],
  },
})
