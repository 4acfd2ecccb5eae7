import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, inject } from 'vitest'
import { until } from '../runner/until.ts'
import { waitLimitMs } from '../runner/wait-limit.ts'
import { demoIn, demoSettings, failureIn } from './demo-folder.ts'
import { freePort, ServiceProcess } from './service-process.ts'

/** The service as `npm start` runs it, on a demo of this file's own. Call it at the top of a file. */
export async function startDemo(): Promise<ServiceProcess> {
  const service = await startCopy()
  afterAll(async () => {
    await service.end('SIGTERM')
    await rm(service.dataFolder, { recursive: true, force: true, maxRetries: 5 })
  })
  return service
}

let shared: Promise<ServiceProcess> | undefined

/**
 * The same, for the files of a worker that can bear what others left there: messages, users, segments. They never stop
 * it, and leave its faults and the app's settings as they were.
 */
export function shareDemo(): Promise<ServiceProcess> {
  shared ??= startCopy().then((service) => {
    process.once('SIGTERM', () => void service.end('SIGTERM'))
    return service
  })
  return shared
}

/** Ten seconds where it is made alone; the first tests run beside it. */
const longestMakingMs = 5 * waitLimitMs

async function startCopy(): Promise<ServiceProcess> {
  const runFolder = inject('runFolder')
  await until(() => existsSync(demoIn(runFolder)) || readFailure(runFolder), Boolean, longestMakingMs)
  const folder = await mkdtemp(join(runFolder, 'copy-'))
  await promisify(execFile)('cp', ['-a', `${demoIn(runFolder)}/.`, folder])
  const service = new ServiceProcess(folder, await freePort())
  await service.start(demoSettings)
  return service
}

function readFailure(runFolder: string): false {
  if (!existsSync(failureIn(runFolder))) return false
  throw new Error(`the demo could not be made: ${readFileSync(failureIn(runFolder), 'utf8')}`)
}
