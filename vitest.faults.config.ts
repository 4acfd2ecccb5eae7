import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { common } from './vitest.config.ts'

/** The tests of test/faults/, for longer: many more kills and fuzzed requests. And every property with new cases. */
export default defineConfig({
  test: {
    ...common,
    include: ['test/faults/**/*.test.ts', ...propertyTests()],
    globalSetup: [
      'test/helpers/database/database-cluster.ts',
      'test/helpers/service/prepared-root.ts',
      'test/helpers/programs/nats.ts',
    ],
    env: { PEYK_TEST_EFFORT: 'long' },
    testTimeout: 1_800_000,
  },
})

function propertyTests(): string[] {
  return ['contract', 'server', 'simulator', 'sdk', 'panel'].flatMap((folder) =>
    readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/src/${file}`)
      .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'")),
  )
}
