import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'
import { findLosses, startWriters } from './writers.ts'

const service = await prepareService('peyk-kill-')
const start = () => service.start({ PEYK_MODE: 'production' })

beforeAll(async () => {
  await start()
  await registerDevice(caller(service.baseUrl, (await service.readDemo()).clientKey), { userId: 'user-1' })
})

async function underLoad(kill: () => Promise<void>) {
  const load = startWriters(service.baseUrl, (await service.readDemo()).accessToken, 16)
  const { countAcknowledged } = load
  try {
    for (let round = 0; round < effort.kills; round++) {
      const before = countAcknowledged()
      await until(countAcknowledged, (count) => count > before + 100)
      await kill()
    }
  } finally {
    await load.stop()
  }
  expect(load.surprises).toEqual([])
  const connection = await connectRunningPostgres(service.dataFolder)
  expect(connection).toBeDefined()
  expect(await findLosses(connection as object, load.sent)).toEqual([])
  expect(countAcknowledged()).toBeGreaterThan(effort.kills * 100)
}

describe('kill -9 under a mixed load', () => {
  it('of the service loses nothing that was acknowledged and stores nothing twice', async () => {
    await underLoad(async () => {
      await service.end('SIGKILL')
      await start()
    })
  })

  it('of PostgreSQL loses nothing that was acknowledged, stores nothing twice, and is never a 500', async () => {
    await underLoad(() => service.killPostgres())
  })
})
