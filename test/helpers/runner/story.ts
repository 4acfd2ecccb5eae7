import { beforeAll, beforeEach, describe, type RunnerTestCase, TestRunner } from 'vitest'

/**
 * Tests that build on those before them. They keep their order, and after the first failure the rest are skipped. When
 * only some of them are chosen, by line or by title, those before them run, too.
 */
export function story(name: string, tell: () => void): void {
  describe(name, { shuffle: false }, () => {
    const tests: RunnerTestCase[] = []
    beforeAll(() => {
      const lastChosen = tests.findLastIndex(isChosen)
      for (const test of tests.slice(0, Math.max(0, lastChosen))) test.mode = 'run'
    })
    beforeEach(({ skip }) => {
      const failed = tests.find(({ result }) => result?.state === 'fail')
      skip(failed !== undefined, `"${failed?.name}" failed`)
    })
    tell()
    for (const task of TestRunner.getCurrentSuite().tasks) {
      if (task.type !== 'test') throw new Error('the steps of a story are tests, not groups of them')
      if (isChosen(task)) tests.push(task)
    }
  })
}

/** Neither skipped where it is written, nor by the command line. */
function isChosen({ mode }: RunnerTestCase): boolean {
  return mode === 'run' || mode === 'only'
}
