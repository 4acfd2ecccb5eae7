import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { freePort, ServiceProcess } from './service-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    demoFolder: string
  }
}

/** As `npm start` runs it. */
export const demoSettings = { PEYK_MODE: 'development' }

/** What the first `npm start` makes takes ten seconds: it is made once, and each test file gets a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPanel()
  const folder = await mkdtemp(join(tmpdir(), 'peyk-demo-'))
  const service = new ServiceProcess(folder, await freePort())
  await service.start(demoSettings)
  await service.end('SIGTERM')
  await forgetPorts(join(folder, 'simulator.json'))
  project.provide('demoFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
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
