import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const madeForm = /^peyk-\d{8}T\d{6}Z\.backup$/
const unfinishedForm = /^peyk-\d{8}T\d{6}Z\.backup\.[0-9a-f]{8}\.part$/

/** Names sort by time. */
export function scheduledFile(folder: string, at: Date): string {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  return join(folder, `peyk-${time}.backup`)
}

/** Makes the folder, and removes what a process that was killed left unfinished in it. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const left = (await readdir(folder)).filter((name) => unfinishedForm.test(name))
  for (const name of left) await rm(join(folder, name), { force: true })
}

/** Removes the oldest ones that the schedule made. Other files of the folder are left alone. */
export async function keepNewest(folder: string, keep: number): Promise<void> {
  const made = (await readdir(folder)).filter((name) => madeForm.test(name)).sort()
  for (const name of made.slice(0, Math.max(0, made.length - keep))) await rm(join(folder, name), { force: true })
}
