import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'peyk-story-'))
afterAll(() => rm(folder, { recursive: true }))
await symlink(resolve('node_modules'), join(folder, 'node_modules'))

/** Each step fails when one before it has not run, or when it is the one that is to fail. */
await writeFile(
  join(folder, 'steps.test.ts'),
  `import { describe, expect, it } from 'vitest'
  import { story } from ${JSON.stringify(resolve('test/helpers/runner/story.ts'))}
  const taken: string[] = []
  const take = (name: string, before: string[]) => () => {
    expect(taken).toEqual(before)
    expect(name).not.toBe(process.env.STEP_TO_FAIL)
    taken.push(name)
  }
  story('a story', () => {
    it('first', take('first', []))
    it.skip('left out', () => expect.fail())
    it('second', take('second', ['first']))
    it('third', take('third', ['first', 'second']))
    it('fourth', take('fourth', ['first', 'second', 'third']))
  })
  describe('others', () => it('other', () => {}))`,
)

async function runSteps(options: string[], stepToFail?: string): Promise<{ [title: string]: string }> {
  const report = join(folder, 'report.json')
  const vitest = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`]
  const env = { ...process.env, STEP_TO_FAIL: stepToFail }
  await run(process.execPath, [...vitest, '--includeTaskLocation', ...options], { env, cwd: folder }).catch((error) => {
    if (stepToFail === undefined) throw error
  })
  const { testResults } = JSON.parse(await readFile(report, 'utf8'))
  const results: { title: string; status: string }[] = testResults[0].assertionResults
  return Object.fromEntries(results.map(({ title, status }) => [title, status]))
}

it('keeps the order of the steps of a story, and skips those after the first that fails', async () => {
  for (const seed of ['1', '2', '3']) {
    const shuffled = ['--sequence.shuffle.tests', `--sequence.seed=${seed}`]
    const all = { first: 'passed', second: 'passed', third: 'passed', fourth: 'passed', 'left out': 'skipped' }
    expect(await runSteps(shuffled)).toEqual({ ...all, other: 'passed' })
  }
  const end = { second: 'failed', third: 'skipped', fourth: 'skipped', 'left out': 'skipped' }
  expect(await runSteps([], 'second')).toEqual({ first: 'passed', ...end, other: 'passed' })
})

it('runs the steps before one that is chosen', async () => {
  const rest = { fourth: 'skipped', 'left out': 'skipped', other: 'skipped' }
  const upToThird = { first: 'passed', second: 'passed', third: 'passed', ...rest }
  expect(await runSteps(['-t', 'third'])).toEqual(upToThird)
  expect(await runSteps(['steps.test.ts:13'])).toEqual(upToThird)
  const none = { first: 'skipped', second: 'skipped', third: 'skipped', fourth: 'skipped', 'left out': 'skipped' }
  expect(await runSteps(['-t', 'other'])).toEqual({ ...none, other: 'passed' })
})
