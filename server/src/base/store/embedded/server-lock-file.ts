import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderInUseError, hasCode } from './embedded-postgres-error.ts'
import { findArguments, findProcessIdentity } from './running-process.ts'

export interface ServerLockFile {
  /** Takes it again when somebody removed it; throws when it is another's by now. */
  confirm(): Promise<void>
  release(): Promise<void>
}

const GUARD_POLL_MS = 10
const lockPath = (dataFolder: string) => join(dataFolder, 'peyk.pid')

async function readLock(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}

async function findHolder(text: string): Promise<number | undefined> {
  const [pid, identity] = text.split('\n')
  if (!pid || !/^\d+$/.test(pid) || !identity) return undefined
  const found = await findProcessIdentity(Number(pid))
  if (found === identity || (await isSeenOtherwise(Number(pid), { found, identity }))) return Number(pid)
  return undefined
}

/** The Peyk script among a process's arguments. Other paths on the command line prove nothing. */
const peykScript = /(^|\/)\.?bin\/peyk(\.js)?$/

/**
 * Containers that run systemd (nspawn, LXD) show a boot id of their own, but not to services in a sandbox. A Peyk that
 * began in the same hundredth of a second is then the same one.
 */
async function isSeenOtherwise(
  pid: number,
  { found, identity }: { found: string | undefined; identity: string },
): Promise<boolean> {
  const startOf = (text: string) => text.split(' ')[0]
  if (process.platform !== 'linux' || found === undefined || pid === process.pid) return false
  return startOf(found) === startOf(identity) && (await findArguments(pid)).some((word) => peykScript.test(word))
}

/** The pid of the server that runs on this data folder. */
export async function findRunningServer(dataFolder: string): Promise<number | undefined> {
  const text = await readLock(lockPath(dataFolder))
  return text === undefined ? undefined : findHolder(text)
}

export async function takeServerLockFile(dataFolder: string): Promise<ServerLockFile> {
  const path = lockPath(dataFolder)
  const content = `${process.pid}\n${await findProcessIdentity(process.pid)}\n${randomBytes(8).toString('hex')}\n`
  await take(path, content, dataFolder)
  const isOurs = async () => (await readLock(path)) === content
  return {
    async confirm() {
      if (!(await isOurs())) await take(path, content, dataFolder)
    },
    async release() {
      if (await isOurs()) await rm(path, { force: true })
    },
  }
}

async function take(path: string, content: string, dataFolder: string): Promise<void> {
  // A link appears with its content, and only when the name is free.
  const ours = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(ours, content, { mode: 0o644, flag: 'wx' })
  try {
    while (!(await linkIfFree(ours, path))) await removeStale(path, dataFolder, ours)
  } finally {
    await rm(ours, { force: true })
  }
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function removeStale(path: string, dataFolder: string, ours: string): Promise<void> {
  const seen = await readLock(path)
  if (seen === undefined) return
  const holder = await findHolder(seen)
  if (holder !== undefined) throw new DataFolderInUseError(dataFolder, holder)
  // One at a time: else a start could remove the file that another has just put in the place of the stale one.
  const guard = `${path}.takeover`
  if (await linkIfFree(ours, guard)) {
    if ((await readLock(path)) === seen) await rm(path, { force: true })
    await rm(guard, { force: true })
  } else {
    const other = await readLock(guard)
    if (other !== undefined && (await findHolder(other)) === undefined) await rm(guard, { force: true })
    await sleep(GUARD_POLL_MS)
  }
}
