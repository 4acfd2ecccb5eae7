import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError, hasCode } from './embedded-postgres-error.ts'
import { canEnter, giveTo } from './unprivileged-user.ts'

export const SOCKET_PORT = 5432
// The system's limit is 104 bytes on macOS and 108 on Linux.
const LONGEST_SOCKET_PATH = 100

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) < LONGEST_SOCKET_PATH

export async function prepareSocketFolder(home: DatabaseHome): Promise<string> {
  const folder = await chooseFolder(home)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  const found = await lstat(folder)
  const trusted = [process.getuid?.(), home.user?.uid]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new EmbeddedPostgresError(`${folder} is needed for the database's socket and belongs to somebody else.`)
  }
  await chmod(folder, 0o700)
  await giveTo(home.user, folder)
  return folder
}

async function chooseFolder(home: DatabaseHome): Promise<string> {
  const own = join(home.folder, 'run')
  if (fits(own)) return own
  const name = `peyk-${createHash('sha256').update(home.folder).digest('hex').slice(0, 16)}`
  for (const folder of [join(tmpdir(), name), join('/tmp', name)]) {
    if (fits(folder) && (!home.user || (await canEnter(home.user, dirname(folder))))) return folder
  }
  throw new EmbeddedPostgresError(
    `The path of the data folder ${home.folder} is too long for a socket: choose a shorter one.`,
  )
}
