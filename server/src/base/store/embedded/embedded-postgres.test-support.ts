import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { guardProcess, makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { until } from '@peyk/test/runner/until.ts'
import { Client, type QueryResultRow } from 'pg'
import { onTestFinished } from 'vitest'
import { findDatabaseFolder, pgdataOf } from './database-home.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { stopLeftoverPostgres } from './leftover-postgres.ts'

export const QUICK = { fsync: 'off', shared_buffers: '16MB' }

/** Removed after the test, with the database that runs on it wherever it is. */
export async function makeTestFolder(): Promise<string> {
  const folder = await makeGuardedFolder('peyk-embedded-')
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export async function makeDataFolder(name = 'data'): Promise<string> {
  const dataFolder = join(await makeTestFolder(), name)
  onTestFinished(() => cleanUp(dataFolder))
  return dataFolder
}

let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const folder = await makeGuardedFolder('peyk-embedded-template-')
  await chmod(folder, 0o755)
  const dataFolder = join(folder, 'data')
  await (await startEmbeddedPostgres({ dataFolder, settings: QUICK, onLog() {} })).stop()
  return dataFolder
}

/** As after a first start: quicker than one. */
export async function makeUsedDataFolder(name?: string): Promise<string> {
  template ??= makeTemplate()
  const dataFolder = await makeDataFolder(name)
  await mkdir(dirname(dataFolder), { recursive: true })
  await promisify(execFile)('/bin/cp', ['-a', await template, dataFolder])
  return dataFolder
}

export async function cleanUp(dataFolder: string): Promise<void> {
  const home = await findDatabaseFolder(dataFolder).catch(() => undefined)
  if (home === undefined) return
  await stopLeftoverPostgres(pgdataOf(home), () => undefined)
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

export interface TestPostgres extends EmbeddedPostgres {
  log: string[]
}

export async function startHere(dataFolder: string, settings: Record<string, string> = {}): Promise<TestPostgres> {
  const log: string[] = []
  const onLog = (level: string, message: string) => log.push(`${level}: ${message}`)
  const postgres = await startEmbeddedPostgres({ dataFolder, settings: { ...QUICK, ...settings }, onLog })
  onTestFinished(() => postgres.stop())
  return { ...postgres, log }
}

export async function query(connection: EmbeddedPostgres['connection'], text: string): Promise<QueryResultRow[]> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function readPid(dataFolder: string): Promise<number | undefined> {
  const path = join(pgdataOf(await findDatabaseFolder(dataFolder)), 'postmaster.pid')
  return Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10) || undefined
}

export async function untilPid(dataFolder: string): Promise<number> {
  return (await until(() => readPid(dataFolder), Boolean)) as number
}

export const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Another server process, which prints its connection when ready. */
export function startInChild(dataFolder: string): ChildProcess {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))}
    const options = ${JSON.stringify({ dataFolder, settings: QUICK })}
    const postgres = await startEmbeddedPostgres({ ...options, onLog() {} })
    console.log(JSON.stringify(postgres.connection))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  guardProcess(child)
  onTestFinished(() => killNow(child))
  return child
}

export async function untilReady(child: ChildProcess): Promise<EmbeddedPostgres['connection']> {
  for await (const chunk of child.stdout ?? []) return JSON.parse(String(chunk))
  throw new Error('the child ended before it was ready')
}

export async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
