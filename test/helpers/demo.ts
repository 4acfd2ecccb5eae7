import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, inject } from 'vitest'
import { demoSettings } from './demo-folder.ts'
import { freePort, ServiceProcess } from './service-process.ts'

/** The service as `npm start` runs it, on a demo of this file's own. Call it at the top of a file. */
export async function startDemo(): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-demo-'))
  await promisify(execFile)('cp', ['-a', `${inject('demoFolder')}/.`, folder])
  const service = new ServiceProcess(folder, await freePort())
  await service.start(demoSettings)
  afterAll(async () => {
    await service.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })
  return service
}
