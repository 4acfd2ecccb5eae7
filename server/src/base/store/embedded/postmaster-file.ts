import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Postmaster {
  pid: number
  /** Not there yet in the first moments. */
  socketFolder: string | undefined
}

/** What PostgreSQL itself says about its running in this folder. */
export async function readPostmasterFile(pgdata: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , , socketFolder] = text.split('\n')
  return Number(pid) > 0 ? { pid: Number(pid), socketFolder: socketFolder || undefined } : undefined
}
