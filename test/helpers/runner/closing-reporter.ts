import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** Results of the last run, which CI reads. */
const resultsPath = 'node_modules/.cache/test-results.json'

/** Ends a run with what a person needs: what failed and how to run just that, and what was skipped for want of something. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter's file by its default export
export default class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    writeResults(modules, errors)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failures = [
      ...modules.flatMap((module) => describeModule(module)),
      ...tests.filter((test) => test.result().state === 'failed').map(describeTest),
    ]
    if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
    for (const line of new Set(tests.flatMap(describeSkipped))) console.log(`\nSkipped: ${line}`)
  }
}

function writeResults(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
  const origins = new Set(unhandled.map(({ VITEST_TEST_PATH }) => VITEST_TEST_PATH))
  const files = modules.map((module) => ({
    path: pathOf(module),
    ms: Math.round(module.diagnostic().collectDuration + module.diagnostic().duration),
    hasError: origins.delete(module.moduleId) || errorsOf(module).length > 0,
    tests: [...module.children.allTests()].map((test) => ({ name: test.fullName, state: test.result().state })),
  }))
  mkdirSync(dirname(resultsPath), { recursive: true })
  writeFileSync(resultsPath, JSON.stringify({ files, hasError: origins.size > 0 }))
}

function errorsOf(module: TestModule): readonly SerializedError[] {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
}

/** A file that could not be loaded, or whose hooks failed. */
function describeModule(module: TestModule): string[] {
  return errorsOf(module).map(
    ({ message }) => `  ${pathOf(module)}\n    ${firstLines(message)}\n    npm test -- ${pathOf(module)}`,
  )
}

function describeTest(test: TestCase): string {
  const path = pathOf(test.module)
  const [error] = test.result().errors ?? []
  const place = test.location ? `${path}:${test.location.line}` : path
  return `  ${path} > ${test.fullName}\n    ${firstLines(error?.message ?? 'failed')}\n    ${commandFor(place)}`
}

function describeSkipped(test: TestCase): string[] {
  const result = test.result()
  return result.state === 'skipped' && result.note ? [`${test.fullName}: ${result.note}`] : []
}

function commandFor(place: string): string {
  return `${place.includes('.long.test.') ? 'npm run test:all' : 'npm test'} -- ${place}`
}

function pathOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId)
}

function firstLines(message: string): string {
  return message.trim().split('\n').slice(0, 3).join('\n    ').slice(0, 600)
}
