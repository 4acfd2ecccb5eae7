import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends a run with what a person needs: what failed and how to run just that, and what was skipped for want of something. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter's file by its default export
export default class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failures = [
      ...modules.flatMap((module) => describeModule(module)),
      ...tests.filter((test) => test.result().state === 'failed').map(describeTest),
    ]
    if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
    for (const line of new Set(tests.flatMap(describeSkipped))) console.log(`\nSkipped: ${line}`)
  }
}

/** A file that could not be loaded, or whose hooks failed. */
function describeModule(module: TestModule): string[] {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  return errors.map(
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
