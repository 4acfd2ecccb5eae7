import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../../../../../test/helpers/until.ts'
import {
  isThere,
  killNow,
  makeDataFolder,
  query,
  startHere,
  startInChild,
  untilReady,
} from './embedded-postgres.test-support.ts'

describe('when the first start is interrupted', () => {
  const moments: [string, (dataFolder: string) => Promise<boolean>][] = [
    ['has taken the lock', (dataFolder) => isThere(join(dataFolder, 'peyk.pid'))],
    ['has written the password', (dataFolder) => isThere(join(dataFolder, 'postgres-password'))],
    ['has put the database into place', (dataFolder) => isThere(join(dataFolder, 'postgres'))],
    ['has begun to start PostgreSQL', (dataFolder) => isThere(join(dataFolder, 'postgres', 'postmaster.pid'))],
  ]
  it.each(moments)('by a kill once it %s, the next one succeeds', async (_title, hasCome) => {
    const dataFolder = await makeDataFolder()
    const child = startInChild(dataFolder)
    await until(() => hasCome(dataFolder), Boolean)
    await killNow(child)
    const { connection } = await startHere(dataFolder)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('by kills at random moments, one after the other, the last one succeeds', async () => {
    const dataFolder = await makeDataFolder()
    for (let kill = 0; kill < 8; kill++) {
      const child = startInChild(dataFolder)
      await Promise.race([untilReady(child), sleep(100 + Math.random() * 1000)])
      await killNow(child)
    }
    const { connection } = await startHere(dataFolder)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
