import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findRunningServer } from '@peyk/server/base/store/embedded/server-lock-file.ts'
import type { TestProject } from 'vitest/node'
import { makeGuardedFolder } from '../runner/guard.ts'
import { freePort, ServiceProcess } from './service-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of this run: everything that its workers keep is in it, and goes with it. */
    runFolder: string
  }
}

/** As `npm start` runs it. */
export const demoSettings = { PEYK_MODE: 'development' }

/** What the first `npm start` makes takes ten seconds: it is made once, beside the first tests, and each service gets a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPanel()
  const runFolder = await makeGuardedFolder('peyk-browser-')
  // PostgreSQL passes through it, as another user where this one is root.
  await chmod(runFolder, 0o711)
  const making = makeDemo(join(runFolder, 'making'), demoIn(runFolder))
  // Whoever waits for it is told.
  making.catch((error) => writeFile(failureIn(runFolder), String(error)))
  project.provide('runFolder', runFolder)
  return async () => {
    await making.catch(() => undefined)
    await endServicesIn(runFolder)
    await rm(runFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export const demoIn = (runFolder: string) => join(runFolder, 'demo')
export const failureIn = (runFolder: string) => join(runFolder, 'failure')

async function makeDemo(folder: string, made: string): Promise<void> {
  await mkdir(folder)
  const service = new ServiceProcess(folder, await freePort())
  await service.start(demoSettings)
  await service.end('SIGTERM')
  await forgetPorts(join(folder, 'simulator.json'))
  await rename(folder, made)
}

/** Those that workers share run until here. */
async function endServicesIn(runFolder: string): Promise<void> {
  await Promise.all(
    globSync(join(runFolder, '*')).map(async (folder) => {
      const pid = await findRunningServer(folder)
      if (pid === undefined) return
      process.kill(pid, 'SIGTERM')
      while ((await findRunningServer(folder)) === pid) await delay(20)
    }),
  )
}

/** Where its sources changed, the first page would wait for it, and the tests for the page. */
async function buildPanel(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../../panel/build.js', import.meta.url))])
}

/** Copies run beside each other: their simulators must not find each other, and their browsers subscribe at their own. */
async function forgetPorts(path: string): Promise<void> {
  const state = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...state, ports: { webPush: 0 } }))
}
