import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findRunningServer } from '../../server/src/base/store/embedded/server-lock-file.ts'

/** Ends the services in it first: those that workers share run until here, and those of a worker that was killed. */
export async function removeRunFolder(runFolder: string): Promise<void> {
  await Promise.all(
    globSync(join(runFolder, '*')).map(async (folder) => {
      const pid = await findRunningServer(folder)
      if (pid === undefined) return
      process.kill(pid, 'SIGTERM')
      while ((await findRunningServer(folder)) === pid) await delay(20)
    }),
  )
  await rm(runFolder, { recursive: true, force: true, maxRetries: 5 })
}

/** For a runner that is ended by a signal and waits for nothing: a process that outlives it. */
export function removeRunFolderLater(runFolder: string): void {
  spawn(process.execPath, [import.meta.filename, runFolder], { detached: true, stdio: 'ignore' }).unref()
}

const [, program, givenFolder] = process.argv
if (program === import.meta.filename && givenFolder) await removeRunFolder(givenFolder)
