import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Postmaster {
  pid: number
  /** Not there yet in the first moments. */
  socketFolder: string | undefined
  isReady: boolean
}

/** What PostgreSQL itself says about its running in this folder. */
export async function readPostmasterFile(pgdata: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , , socketFolder, , , status] = text.split('\n')
  if (!(Number(pid) > 0)) return undefined
  return { pid: Number(pid), socketFolder: socketFolder || undefined, isReady: status?.trim() === 'ready' }
}
