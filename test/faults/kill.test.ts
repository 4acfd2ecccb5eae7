import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRunningPostgres } from '../../server/src/base/store/embedded/embedded-postgres.ts'
import { effort } from '../helpers/effort.ts'
import { freePort, ServiceProcess } from '../helpers/service-process.ts'
import { findLosses, startWriters } from './writers.ts'

let service: ServiceProcess
let token: string

beforeAll(async () => {
  service = new ServiceProcess(await mkdtemp(join(tmpdir(), 'peyk-kill-')), await freePort())
  await service.start()
  token = (await service.readDemo()).accessToken
})

afterAll(async () => {
  await service.end('SIGTERM')
  await rm(service.dataFolder, { recursive: true, force: true })
})

async function underLoad(kill: () => Promise<void>) {
  const load = startWriters(service.baseUrl, token, 16)
  try {
    for (let round = 0; round < effort.kills; round++) {
      const before = load.sent.filter((one) => one.isAcknowledged).length
      await expect
        .poll(() => load.sent.filter((one) => one.isAcknowledged).length, { timeout: 60_000 })
        .toBeGreaterThan(before + 100)
      await kill()
    }
  } finally {
    await load.stop()
  }
  expect(load.surprises).toEqual([])
  const connection = await connectRunningPostgres(service.dataFolder)
  expect(connection).toBeDefined()
  expect(await findLosses(connection as object, load.sent)).toEqual([])
  expect(load.sent.filter((one) => one.isAcknowledged).length).toBeGreaterThan(effort.kills * 100)
}

describe('kill -9 under a mixed load', () => {
  it('of the service loses nothing that was acknowledged and stores nothing twice', async () => {
    await underLoad(async () => {
      await service.end('SIGKILL')
      await service.start()
    })
  })

  it('of PostgreSQL loses nothing that was acknowledged, stores nothing twice, and is never a 500', async () => {
    await underLoad(async () => {
      const postmaster = await readPostmasterPid()
      process.kill(postmaster, 'SIGKILL')
      await expect
        .poll(() => fetch(`${service.baseUrl}/ready`).then((response) => response.ok), { timeout: 60_000 })
        .toBe(true)
    })
  })
})

async function readPostmasterPid(): Promise<number> {
  const text = await readFile(join(service.dataFolder, 'postgres/postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}
