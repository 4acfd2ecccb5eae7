import { constants, type FileHandle, open, rename, stat } from 'node:fs/promises'
import type { UnprivilegedUser } from './unprivileged-user.ts'

const LARGEST_LOG_BYTES = 10 * 1024 * 1024
const TAIL_BYTES = 16 * 1024

export async function openPostgresLog(path: string, user: UnprivilegedUser | undefined): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LARGEST_LOG_BYTES) await rename(path, `${path}.1`)
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const log = await open(path, flags, 0o600)
  // An ordinary user who starts the server next must be able to write on.
  if (user) await log.chown(user.uid, user.gid)
  return log
}

/** The last lines written since that position, as one line. */
export async function readLogTail(log: FileHandle, fromByte: number): Promise<string> {
  const { size } = await log.stat()
  const start = Math.max(fromByte, size - TAIL_BYTES)
  const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, Math.min(TAIL_BYTES, size - start), start)
  const lines = buffer.subarray(0, bytesRead).toString('utf8').trim().split('\n')
  return lines.slice(-5).join(' / ')
}
