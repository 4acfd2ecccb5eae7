import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  killNow,
  makeDataFolder,
  makeUsedDataFolder,
  query,
  readPid,
  startHere,
  startInChild,
  until,
  untilReady,
} from './embedded-postgres.test-support.ts'
import { findProcessIdentity } from './running-process.ts'

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe('when PostgreSQL is killed', () => {
  it('it comes back with everything that was committed', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log } = await startHere(dataFolder)
    await query(connection, "create table kept as select 'here' as word")
    for (const times of [1, 2]) {
      const pid = await until(() => readPid(dataFolder))
      process.kill(pid, 'SIGKILL')
      await until(async () => log.length === times * 2)
      expect(log.at(-2)).toMatch(/^warn: PostgreSQL ended unexpectedly \(signal SIGKILL\)/)
      expect(log.at(-1)).toMatch(/^info: PostgreSQL is back after \d+ ms$/)
      expect(await query(connection, 'select word from kept')).toEqual([{ word: 'here' }])
    }
  })

  it('the session lock is taken again', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log } = await startHere(dataFolder)
    const countLocks = async () => {
      const rows = await query(connection, "select 1 from pg_locks where locktype = 'advisory' and granted")
      return rows.length
    }
    expect(await countLocks()).toBe(1)
    process.kill(await until(() => readPid(dataFolder)), 'SIGKILL')
    await until(async () => log.length === 2)
    await until(async () => (await countLocks()) === 1)
    await query(connection, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    await until(async () => (await countLocks()) === 1)
  })

  it('a stop in the midst of the restart ends it for good', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log, stop } = await startHere(dataFolder)
    process.kill(await until(() => readPid(dataFolder)), 'SIGKILL')
    await until(async () => log.length > 0)
    await stop()
    await expect(query(connection, 'select 1')).rejects.toThrow()
    await (await startHere(dataFolder)).stop()
  })
})

describe('when the server is killed', () => {
  it('the next start takes over from the PostgreSQL it left behind', async () => {
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    const connection = await untilReady(child)
    await query(connection, "create table kept as select 'here' as word")
    await killNow(child)
    const orphan = await until(() => readPid(dataFolder))
    expect(await findProcessIdentity(orphan)).toBeDefined()

    const next = await startHere(dataFolder)
    expect(next.log).toEqual([`warn: Stopping the PostgreSQL (process ${orphan}) that an earlier run left behind`])
    expect(await findProcessIdentity(orphan)).toBeUndefined()
    expect(await query(next.connection, 'select word from kept')).toEqual([{ word: 'here' }])
  })

  it('the next start also succeeds when PostgreSQL was killed with it', async () => {
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    const connection = await untilReady(child)
    await query(connection, "create table kept as select 'here' as word")
    process.kill(await until(() => readPid(dataFolder)), 'SIGKILL')
    await killNow(child)
    const next = await startHere(dataFolder)
    expect(await query(next.connection, 'select word from kept')).toEqual([{ word: 'here' }])
  })
})

describe('when the first start is interrupted', () => {
  it('a half-made database is removed by the next one', async () => {
    const dataFolder = await makeDataFolder()
    const half = join(dataFolder, 'postgres.unfinished-0123456789ab')
    await mkdir(join(half, 'global'), { recursive: true })
    await writeFile(join(half, 'PG_VERSION'), '18\n')
    await writeFile(`${half}.password`, 'secret')
    await startHere(dataFolder)
    expect((await readdir(dataFolder)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  const moments: [string, (dataFolder: string) => Promise<boolean>][] = [
    ['has taken the lock', (dataFolder) => isThere(join(dataFolder, 'peyk.pid'))],
    ['has written the password', (dataFolder) => isThere(join(dataFolder, 'postgres-password'))],
    [
      'is in the midst of initdb',
      async (dataFolder) => {
        const half = (await readdir(dataFolder).catch(() => [])).find((name) => /unfinished-\w+$/.test(name))
        return half !== undefined && isThere(join(dataFolder, half, 'global'))
      },
    ],
    ['has put the database into place', (dataFolder) => isThere(join(dataFolder, 'postgres'))],
    ['has begun to start PostgreSQL', (dataFolder) => isThere(join(dataFolder, 'postgres', 'postmaster.pid'))],
  ]
  it.each(moments)('by a kill once it %s, the next one succeeds', async (_title, hasCome) => {
    const dataFolder = await makeDataFolder()
    const child = startInChild(dataFolder)
    await until(() => hasCome(dataFolder))
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
