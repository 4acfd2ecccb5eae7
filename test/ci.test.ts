import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

const program = join(import.meta.dirname, '../.ci/results.js')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peyk-ci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

type States = Record<string, 'passed' | 'failed' | 'skipped'>

function write(step: string, status: number, files: Record<string, States | 'broken'>, hasError = false): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'steps'), `${step} ${status}\n`, { flag: 'a' })
  const described = Object.entries(files).map(([path, states]) => ({
    path,
    ms: 1_500,
    hasError: states === 'broken',
    tests: Object.entries(states === 'broken' ? {} : states).map(([name, state]) => ({ name, state })),
  }))
  writeFileSync(join(folder, `${step}.json`), JSON.stringify({ files: described, hasError }))
}

function summarize(): { lines: string[]; status: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [program, 'summary', folder], { encoding: 'utf8' })
  return { lines: stdout.trim().split('\n'), status }
}

describe('a second try', () => {
  it('is for files of the browser, e2e and fault tests only', () => {
    write('usual', 1, {
      'test/e2e/a.test.ts': { one: 'failed' },
      'test/browser/b.test.ts': 'broken',
      'test/faults/c.test.ts': { one: 'passed' },
      'test/spec/d.test.ts': { one: 'failed' },
      'server/src/e.test.ts': 'broken',
    })
    const printed = execFileSync(process.execPath, [program, 'second-try', join(folder, 'usual.json')])
    expect(String(printed)).toBe('test/e2e/a.test.ts\ntest/browser/b.test.ts\n')
  })

  it('counts each test once by its last result, and is named', () => {
    write('usual', 1, {
      'test/e2e/a.test.ts': { one: 'failed', two: 'passed', three: 'skipped' },
      'test/spec/d.test.ts': { one: 'passed' },
    })
    write('usual-second-try', 0, { 'test/e2e/a.test.ts': { one: 'passed', two: 'passed', three: 'skipped' } })
    const { lines, status } = summarize()
    expect(lines.slice(-4)).toEqual(['1 on the second try:', '  test/e2e/a.test.ts > one', '', '3 passed, 0 failed'])
    expect(status).toBe(0)
  })

  it('that fails counts', () => {
    write('usual', 1, { 'test/e2e/a.test.ts': { one: 'failed', two: 'passed' } })
    write('usual-second-try', 1, { 'test/e2e/a.test.ts': { one: 'passed', two: 'failed' } })
    const { lines, status } = summarize()
    expect(lines.at(-1)).toBe('1 passed, 1 failed')
    expect(lines).toContain('  test/e2e/a.test.ts > two')
    expect(status).toBe(1)
  })
})

describe('a run', () => {
  it('counts a test once that ran in two steps, as failed if either failed', () => {
    write('usual', 0, { 'server/src/e.test.ts': { one: 'passed', two: 'passed' } })
    write('added', 1, { 'server/src/e.test.ts': { one: 'failed', two: 'passed' } })
    expect(summarize().lines.at(-1)).toBe('1 passed, 1 failed')
  })

  it.each([
    ['a step that fails without a failed test', () => write('check', 2, { 'test/a.test.ts': { one: 'passed' } })],
    [
      'a file that cannot be loaded',
      () => write('usual', 1, { 'a.test.ts': 'broken', 'b.test.ts': { one: 'passed' } }),
    ],
    ['an error outside of any file', () => write('usual', 1, { 'test/e2e/a.test.ts': { one: 'passed' } }, true)],
  ])('counts %s as one failure', (_, happen) => {
    happen()
    const { lines, status } = summarize()
    expect(lines.at(-1)).toBe('1 passed, 1 failed')
    expect(status).toBe(1)
  })
})
