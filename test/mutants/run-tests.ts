import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { guardProcess } from '../helpers/runner/guard.ts'

export interface TestRun {
  isPassed: boolean
  /** The titles of what failed, each with its file; a file that could not be run has no title. */
  failed: string[]
  output: string
}

interface Report {
  testResults?: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Runs test files in the copy, up to the first failure. */
export async function runTests(copy: string, files: readonly string[], databaseUrl: string): Promise<TestRun> {
  const report = join(copy, 'mutant-report.json')
  await rm(report, { force: true })
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', ...files, '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, PEYK_TEST_DATABASE_URL: databaseUrl, PEYK_TEST_PART: 'all' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  guardProcess(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const text = await readFile(report, 'utf8').catch(() => '{}')
  return { isPassed: code === 0, failed: readFailed(JSON.parse(text) as Report, copy), output }
}

function readFailed({ testResults = [] }: Report, copy: string): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(`${copy}/`, '')
    const titles = assertionResults
      .filter((each) => each.status === 'failed')
      .map((each) => `${file}: ${each.fullName}`)
    return titles.length > 0 || status !== 'failed' ? titles : [`${file}: could not be run`]
  })
}
