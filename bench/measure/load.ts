import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Load {
  url: string
  headers: Record<string, string>
  bodies: string[]
  seconds: number
  connections: number
}

export interface LoadResult {
  /** Answers of status 200. */
  answers: number
  p50Ms: number
  p99Ms: number
  /** Requests that were cut off at the end: the service may have done them. */
  unanswered: number
}

export interface LoadGenerator {
  name: string
  run(load: Load): Promise<LoadResult>
}

/** wrk takes a tenth of the CPU of a generator in Node, which counts on a machine of two cores. */
export async function findLoadGenerator(): Promise<LoadGenerator> {
  const version = await run('wrk', ['-v']).then(
    () => undefined,
    (error: { stdout?: string; code?: unknown }) => (error.code === 'ENOENT' ? undefined : error.stdout),
  )
  const name = /^wrk \S+/m.exec(version ?? '')?.[0]
  if (name !== undefined) return { name, run: runWrk }
  console.log(
    'wrk is not installed (Debian: apt-get install wrk): autocannon is used, which takes CPU from the service.',
  )
  return { name: 'autocannon 8.0.0', run: runAutocannon }
}

const settleSeconds = 1

async function runWrk(load: Load): Promise<LoadResult> {
  return withBodies(load, async (file) => {
    const headers = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`)
    const { stdout } = await run('wrk', [
      '-t1',
      `-c${load.connections}`,
      `-d${load.seconds + settleSeconds}s`,
      '--timeout=20s',
      `-s${join(import.meta.dirname, 'wrk.lua')}`,
      load.url,
      '--',
      file,
      String(load.seconds),
      ...headers,
    ])
    const result = JSON.parse(/^RESULT (.+)$/m.exec(stdout)?.[1] ?? '{}')
    return readResult(load, { ...result, unanswered: 0 })
  })
}

async function runAutocannon(load: Load): Promise<LoadResult> {
  return withBodies(load, async (file) => {
    const { stdout } = await run(process.execPath, [
      join(import.meta.dirname, 'autocannon.ts'),
      JSON.stringify({ ...load, bodies: file }),
    ])
    return readResult(load, JSON.parse(stdout))
  })
}

async function withBodies<T>(load: Load, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-bodies-'))
  try {
    const file = join(folder, 'bodies')
    await writeFile(file, `${load.bodies.join('\n')}\n`)
    return await work(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readResult(load: Load, result: LoadResult & { refused: number; broken: number }): Promise<LoadResult> {
  const { answers, refused, broken, p50Ms, p99Ms, unanswered } = result
  if (refused > 0 || broken > 0 || !(answers > 0)) {
    const path = new URL(load.url).pathname
    const numbers = `${answers} answers, of which ${refused} were refusals; ${broken} connections broke`
    throw new Error(`${path}: ${numbers}. Asked again: ${await askOnce(load)}`)
  }
  return { answers, p50Ms, p99Ms, unanswered }
}

async function askOnce({ url, headers, bodies }: Load): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body: bodies[0] ?? '' })
  return `${response.status} ${(await response.text()).slice(0, 500)}`
}
