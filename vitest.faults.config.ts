import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The tests of test/faults/, and all that ask for their effort or generate cases: many more rounds, and new cases. */
export default defineConfig({
  test: {
    ...common,
    include: ['test/faults/**/*.test.ts', ...testsOfEffort()],
    globalSetup: [
      'test/helpers/database/database-cluster.ts',
      'test/helpers/service/prepared-root.ts',
      'test/helpers/programs/nats.ts',
    ],
    env: { PEYK_TEST_EFFORT: 'long' },
    testTimeout: 1_800_000,
  },
})

function testsOfEffort(): string[] {
  return ['contract', 'server', 'simulator', 'sdk', 'panel'].flatMap((folder) =>
    readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/src/${file}`)
      .filter((file) => /from 'fast-check'|runner\/effort\.ts'/.test(readFileSync(file, 'utf8'))),
  )
}
