import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { executable, type PostgresBinaries } from './binaries.ts'
import { EmbeddedPostgresError, oneLine } from './embedded-postgres-error.ts'
import { findProcessIdentity } from './running-process.ts'
import { tryAsUser, type UnprivilegedUser } from './unprivileged-user.ts'

const works = async (binaries: PostgresBinaries, user: UnprivilegedUser) =>
  (await tryAsUser(user, executable(binaries, 'postgres'), ['--version'])) === undefined

/** The binaries themselves, or a copy of them, where that user can run them. */
export async function makeBinariesReachable(
  binaries: PostgresBinaries,
  user: UnprivilegedUser,
  onInfo: (message: string) => void,
  shelves = ['/var/lib/peyk', join(tmpdir(), 'peyk-binaries')],
): Promise<PostgresBinaries> {
  if (await works(binaries, user)) return binaries
  let reason = ''
  for (const shelf of shelves) {
    const copy = { ...binaries, folder: join(shelf, `postgres-${binaries.version}-${process.arch}`) }
    try {
      await prepareShelf(shelf)
      if ((await isOnlyOurs(copy.folder)) && (await works(copy, user))) return copy
      await copyBinaries(binaries.folder, copy.folder)
      if (await works(copy, user)) {
        onInfo(`User ${user.name} cannot run PostgreSQL from ${binaries.folder}; a copy in ${copy.folder} is used.`)
        return copy
      }
      reason = `${copy.folder} does not run either`
    } catch (error) {
      reason = oneLine(error)
    }
  }
  throw new EmbeddedPostgresError(
    `User ${user.name} cannot run PostgreSQL from ${binaries.folder}, and no copy could be made (${reason}): move the checkout where that user can read it, or set PEYK_DATABASE_URL.`,
  )
}

// In a folder open to all, somebody else may have put theirs under our name.
async function isOnlyOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

async function prepareShelf(shelf: string): Promise<void> {
  await mkdir(shelf, { recursive: true })
  const found = await lstat(shelf)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${shelf} is not ours`)
  await chmod(shelf, 0o711)
}

async function copyBinaries(from: string, to: string): Promise<void> {
  await removeAbandonedCopies(to)
  const temporary = `${to}.copying-${process.pid}`
  await cp(from, temporary, { recursive: true, verbatimSymlinks: true })
  await openForReading(temporary)
  await promisify(execFile)('/bin/sync').catch(() => undefined)
  await rm(to, { recursive: true, force: true })
  await rename(temporary, to)
}

async function removeAbandonedCopies(to: string): Promise<void> {
  for (const name of await readdir(dirname(to))) {
    const pid = /\.copying-(\d+)$/.exec(name)?.[1]
    if (pid === undefined) continue
    const abandoned = Number(pid) === process.pid || (await findProcessIdentity(Number(pid))) === undefined
    if (abandoned) await rm(join(dirname(to), name), { recursive: true, force: true })
  }
}

async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openForReading(path)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
