import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@peyk/test/runner/until.ts'
import { describe, expect, it } from 'vitest'
import {
  isThere,
  killNow,
  makeDataFolder,
  makeUsedDataFolder,
  query,
  startHere,
  startInChild,
  untilPid,
  untilReady,
} from './embedded-postgres.test-support.ts'

describe('when PostgreSQL is killed', () => {
  it('the session lock is taken again', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log } = await startHere(dataFolder)
    const countLocks = async () => {
      const rows = await query(connection, "select 1 from pg_locks where locktype = 'advisory' and granted")
      return rows.length
    }
    expect(await countLocks()).toBe(1)
    process.kill(await untilPid(dataFolder), 'SIGKILL')
    await until(
      () => log,
      (lines) => lines.length === 2,
    )
    await until(countLocks, (count) => count === 1)
    await query(connection, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    expect(await until(countLocks, (count) => count === 1)).toBe(1)
  })

  it('a stop in the midst of the restart ends it for good', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log, stop } = await startHere(dataFolder)
    process.kill(await untilPid(dataFolder), 'SIGKILL')
    await until(
      () => log,
      (lines) => lines.length > 0,
    )
    await stop()
    await expect(query(connection, 'select 1')).rejects.toThrow()
    await (await startHere(dataFolder)).stop()
  })

  it('the next start succeeds also when the server was killed with it', async () => {
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    const connection = await untilReady(child)
    await query(connection, "create table kept as select 'here' as word")
    process.kill(await untilPid(dataFolder), 'SIGKILL')
    await killNow(child)
    const next = await startHere(dataFolder)
    expect(await query(next.connection, 'select word from kept')).toEqual([{ word: 'here' }])
  })
})

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
