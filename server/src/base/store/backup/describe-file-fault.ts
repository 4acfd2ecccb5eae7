import { BackupError } from './backup-error.ts'

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user may not store more on the disk',
  ENAMETOOLONG: 'its name is too long',
  EFBIG: 'it becomes larger than the disk allows',
  EIO: 'the disk fails',
  ABORT_ERR: 'it was told to stop',
}

/** A fault of a file in plain words; any other as it is. */
export function describeFileFault(error: unknown, what: string): unknown {
  const { code } = error as { code?: unknown }
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return reason ? new BackupError(`${what}: ${reason}.`, { cause: error }) : error
}
