import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environment, executable, type PostgresBinaries } from './binaries.ts'
import type { DatabaseHome } from './database-home.ts'
import { syncFolder, writeDurably } from './durable-file.ts'
import { EmbeddedPostgresError, hasCode, oneLine } from './embedded-postgres-error.ts'
import { asArguments, sharedMemorySettings } from './postgres-settings.ts'
import { asUser, giveTo } from './unprivileged-user.ts'

export const SUPERUSER = 'peyk'
const UNFINISHED = 'postgres.unfinished-'
const passwordPath = (dataFolder: string) => join(dataFolder, 'postgres-password')

export async function findPassword(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(passwordPath(dataFolder), 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  return text.trim() || undefined
}

/** Makes the cluster when there is none, and gives its password. */
export async function initialiseCluster(
  dataFolder: string,
  home: DatabaseHome,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<string> {
  await removeUnfinished(home)
  const version = await findClusterVersion(home.pgdata)
  const known = await findPassword(dataFolder)
  if (version !== undefined) {
    const major = binaries.version.split('.')[0]
    if (version !== major) {
      throw new EmbeddedPostgresError(
        `${home.pgdata} was made by PostgreSQL ${version} and this is PostgreSQL ${major}: dump it with the old version and load it into the new one.`,
      )
    }
    if (known !== undefined) return known
    throw new EmbeddedPostgresError(
      `${passwordPath(dataFolder)} is missing, and ${home.pgdata} cannot be used without it.`,
    )
  }
  const password = known ?? randomBytes(24).toString('base64url')
  // A cluster must never be there without its password.
  if (known === undefined) await writeDurably(passwordPath(dataFolder), `${password}\n`, 0o600)
  await makeCluster(home, binaries, password, durable)
  return password
}

async function findClusterVersion(pgdata: string): Promise<string | undefined> {
  try {
    return (await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const foreignFiles = await readdir(pgdata).catch(() => [])
  if (foreignFiles.length === 0) return undefined
  throw new EmbeddedPostgresError(`${pgdata} is not empty and not a PostgreSQL database: move it away.`)
}

async function removeUnfinished(home: DatabaseHome): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    // The initdb of a killed server may still be writing into it: what resists is left to the next start.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }
    await rm(join(home.folder, name), options).catch(() => undefined)
  }
}

async function makeCluster(
  home: DatabaseHome,
  binaries: PostgresBinaries,
  password: string,
  durable: boolean,
): Promise<void> {
  const unfinished = join(home.folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  const passwordFile = `${unfinished}.password`
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
  if (home.user) await chown(passwordFile, home.user.uid, home.user.gid)
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(home.user, unfinished)
  const args = ['-D', unfinished, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  args.push('-E', 'UTF8', '--locale=C', '--data-checksums', ...(durable ? [] : ['--no-sync']))
  // Commits wait while PostgreSQL fills a new file of its log with zeros: 100 ms on a busy machine with its usual 16 MB.
  args.push('--wal-segsize=4')
  args.push(...asArguments(await sharedMemorySettings()))
  try {
    await runInitdb(executable(binaries, 'initdb'), args, { ...asUser(home.user), env: environment(binaries) })
    await rename(unfinished, home.pgdata)
    await syncFolder(home.folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function runInitdb(command: string, args: string[], options: object): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: '/', ...options }, (error, _stdout, stderr) => {
      if (!error) return resolve()
      const said = String(stderr)
        .split('\n')
        .filter((line) => /error|fatal/i.test(line))
      reject(
        new EmbeddedPostgresError(
          `The database could not be initialised: ${oneLine(said.join('\n') || stderr || error)}`,
        ),
      )
    })
  })
}
