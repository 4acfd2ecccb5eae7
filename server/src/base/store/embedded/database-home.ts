import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { access, chmod, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from './durable-file.ts'
import { EmbeddedPostgresError, hasCode, oneLine } from './embedded-postgres-error.ts'
import { canEnter, chooseUnprivilegedUser, giveTreeTo, isRoot, type UnprivilegedUser } from './unprivileged-user.ts'

/** PostgreSQL refuses a folder in which a group may write, or others may do anything. */
const tooOpen = 0o027

/** Where the database lives: the data folder, unless the user PostgreSQL runs as cannot get there. */
export interface DatabaseHome {
  folder: string
  pgdata: string
  user: UnprivilegedUser | undefined
}

const SYSTEM_FOLDER = '/var/lib/peyk'
export const pgdataOf = (folder: string) => join(folder, 'postgres')
const rememberedIn = (dataFolder: string) => join(dataFolder, 'database-folder')

export async function makeDataFolder(dataFolder: string): Promise<string> {
  await mkdir(dirname(dataFolder), { recursive: true })
  await mkdir(dataFolder, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await access(dataFolder, constants.W_OK).catch(async (error) => {
    if (!hasCode(error, 'EACCES')) throw error
    const owner = `user id ${(await stat(dataFolder)).uid}`
    throw new EmbeddedPostgresError(
      `The data folder ${dataFolder} belongs to ${owner} and cannot be written: start Peyk as that user, or choose another data folder.`,
    )
  })
  return realpath(dataFolder)
}

const statIfThere = (path: string) =>
  stat(path).catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })

export async function findDatabaseFolder(dataFolder: string): Promise<string> {
  const remembered = await readFile(rememberedIn(dataFolder), 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  const folder = remembered.trim() || dataFolder
  if (await statIfThere(folder)) return folder
  throw new EmbeddedPostgresError(
    `${rememberedIn(dataFolder)} says that the database is in ${folder}, which is not there: bring it back, or remove that file to begin with an empty database.`,
  )
}

export async function prepareDatabaseHome(
  dataFolder: string,
  onInfo: (message: string) => void,
): Promise<DatabaseHome> {
  const folder = await findDatabaseFolder(dataFolder)
  const existing = await statIfThere(pgdataOf(folder))
  if (!isRoot()) {
    if (existing && existing.uid !== process.getuid?.()) {
      const owner = `user id ${existing.uid}`
      throw new EmbeddedPostgresError(`${pgdataOf(folder)} belongs to ${owner}: start Peyk as that user or as root.`)
    }
    await closeToOthers(pgdataOf(folder), existing)
    return { folder, pgdata: pgdataOf(folder), user: undefined }
  }
  const user = await chooseUnprivilegedUser(existing)
  if (await canEnter(user, dirname(folder))) {
    await chmod(folder, ((await stat(folder)).mode & 0o777) | 0o011)
  } else if (existing || folder !== dataFolder) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and user ${user.name} cannot enter ${folder}: let others pass through the folders above it (chmod o+x), or start Peyk as an ordinary user.`,
    )
  } else {
    return moveOut(dataFolder, user, onInfo)
  }
  if (existing?.uid === 0) await giveTreeTo(user, pgdataOf(folder))
  await closeToOthers(pgdataOf(folder), existing)
  return { folder, pgdata: pgdataOf(folder), user }
}

/** Kubernetes lets the group of a pod into its volumes (fsGroup); so does copying a folder without its rights. */
async function closeToOthers(pgdata: string, existing: Stats | undefined): Promise<void> {
  if (existing && (existing.mode & tooOpen) !== 0) await chmod(pgdata, 0o700)
}

async function moveOut(
  dataFolder: string,
  user: UnprivilegedUser,
  onInfo: (message: string) => void,
): Promise<DatabaseHome> {
  const why = `PostgreSQL does not run as root, and user ${user.name} cannot enter ${dataFolder}`
  const folder = join(SYSTEM_FOLDER, randomBytes(8).toString('hex'))
  try {
    // Not made where the system has none (macOS): nobody would look for a database there.
    await stat(dirname(SYSTEM_FOLDER))
    await mkdir(folder, { recursive: true })
    await chmod(SYSTEM_FOLDER, 0o711)
    await chmod(folder, 0o711)
    if (!(await canEnter(user, folder))) throw new Error(`${folder} cannot be entered either`)
  } catch (error) {
    throw new EmbeddedPostgresError(`${why} (${oneLine(error)}): choose another data folder or set PEYK_DATABASE_URL.`)
  }
  await writeDurably(rememberedIn(dataFolder), `${folder}\n`, 0o644)
  onInfo(`${why}: the database is kept in ${folder}.`)
  return { folder, pgdata: pgdataOf(folder), user }
}
