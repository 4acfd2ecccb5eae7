import { access, constants, stat, statfs } from 'node:fs/promises'
import type { Config } from '#base/config.ts'
import { findDatabaseFolder } from '#base/store/embedded/database-home.ts'
import { type Finding, fault, ok, unseen, warning } from './finding.ts'
import { formatBytes } from './format-bytes.ts'

const MB = 1e6
const GB = 1e9
/** With less, PostgreSQL soon cannot write, and the service answers 503. */
const leastBytes = 500 * MB
const fewBytes = 2 * GB
const fewShare = 0.05

export interface Space {
  freeBytes: number
  totalBytes: number
}

/** Room in the data folder, where the database is if it is elsewhere, and in the folder of the backups that are made. */
export async function checkDisk(config: Config): Promise<Finding[]> {
  const folders: [string, string][] = [['data folder', config.dataFolder]]
  const home = await findDatabaseFolder(config.dataFolder).catch(() => config.dataFolder)
  if (config.databaseUrl === undefined && home !== config.dataFolder) folders.push(['database folder', home])
  if (config.backupEveryHours > 0) folders.push(['backup folder', config.backupFolder])
  const findings: Finding[] = []
  for (const [name, folder] of folders) findings.push(await checkFolder(name, folder))
  if (config.databaseUrl !== undefined)
    findings.push(unseen('database-disk', 'The disk of the PostgreSQL server cannot be seen from here.'))
  return findings
}

async function checkFolder(name: string, folder: string): Promise<Finding> {
  try {
    if (!(await stat(folder)).isDirectory())
      return fault('no-folder', `The ${name} ${folder} is not a folder.`, 'Remove it, or name another folder.')
    await access(folder, constants.W_OK)
    const { bavail, blocks, bsize } = await statfs(folder)
    return judgeSpace(`${name} ${folder}`, { freeBytes: bavail * bsize, totalBytes: blocks * bsize })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return unseen('no-folder', `The ${name} ${folder} is not there yet: it is made when needed.`)
    const advice =
      code === 'EROFS'
        ? 'Mount its disk so that it can be written, or name another folder.'
        : 'Run this as the user that the service runs as, or give that user the folder.'
    return fault('folder-refused', `The ${name} ${folder} cannot be written: ${code}.`, advice)
  }
}

export function judgeSpace(where: string, { freeBytes, totalBytes }: Space): Finding {
  const text = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} free in the ${where}`
  const advice =
    'Make room or enlarge the disk. Shorter retention lets old months go, and PEYK_BACKUP_KEEP old backups (docs/self-host/operations.md).'
  if (freeBytes < leastBytes) return fault('disk-full', `Only ${text}.`, advice)
  if (freeBytes < fewBytes || freeBytes < totalBytes * fewShare) return warning('disk-low', `Only ${text}.`, advice)
  return ok('disk', text)
}
