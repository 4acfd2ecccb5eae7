import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { removeRunFolder, removeRunFolderLater } from './run-folder.ts'
import { freePort, ServiceProcess } from './service-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of this run: everything that its workers keep is in it, and goes with it. */
    runFolder: string
  }
}

/** As `npm start` runs it. */
export const demoSettings = { PEYK_MODE: 'development' }

/** What the first `npm start` makes takes ten seconds: it is made once, and each service gets a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPanel()
  const runFolder = await mkdtemp(join(tmpdir(), 'peyk-browser-'))
  // PostgreSQL passes through it, as another user where this one is root.
  await chmod(runFolder, 0o711)
  const removeLater = () => removeRunFolderLater(runFolder)
  process.once('exit', removeLater)
  const teardown = async () => {
    await removeRunFolder(runFolder)
    process.off('exit', removeLater)
  }
  try {
    const folder = join(runFolder, 'demo')
    await mkdir(folder)
    const service = new ServiceProcess(folder, await freePort())
    await service.start(demoSettings)
    await service.end('SIGTERM')
    await forgetPorts(join(folder, 'simulator.json'))
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('runFolder', runFolder)
  return teardown
}

/** Where its sources changed, the first page would wait for it, and the tests for the page. */
async function buildPanel(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../panel/build.js', import.meta.url))])
}

/** Copies run beside each other: their simulators must not find each other, and their browsers subscribe at their own. */
async function forgetPorts(path: string): Promise<void> {
  const state = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...state, ports: { webPush: 0 } }))
}
