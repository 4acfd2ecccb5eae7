import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isThorough } from '@peyk/test/runner/effort.ts'
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
import { findProcessIdentity } from './running-process.ts'

describe('when PostgreSQL is killed', () => {
  it('it comes back with everything that was committed', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection, log } = await startHere(dataFolder)
    await query(connection, "create table kept as select 'here' as word")
    for (const times of [1, 2]) {
      const pid = await untilPid(dataFolder)
      process.kill(pid, 'SIGKILL')
      await until(
        () => log,
        (lines) => lines.length === times * 2,
      )
      expect(log.at(-2)).toMatch(/^warn: PostgreSQL ended unexpectedly \(signal SIGKILL\)/)
      expect(log.at(-1)).toMatch(/^info: PostgreSQL is back after \d+ ms$/)
      expect(await query(connection, 'select word from kept')).toEqual([{ word: 'here' }])
    }
  })
})

describe('when the server is killed', () => {
  it('the next start takes over from the PostgreSQL it left behind', async () => {
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    const connection = await untilReady(child)
    await query(connection, "create table kept as select 'here' as word")
    await killNow(child)
    const orphan = await untilPid(dataFolder)
    expect(await findProcessIdentity(orphan)).toBeDefined()

    const next = await startHere(dataFolder)
    expect(next.log).toEqual([`warn: Stopping the PostgreSQL (process ${orphan}) that an earlier run left behind`])
    expect(await findProcessIdentity(orphan)).toBeUndefined()
    expect(await query(next.connection, 'select word from kept')).toEqual([{ word: 'here' }])
  })
})

describe('when the first start is interrupted', () => {
  it.runIf(isThorough)('a half-made database is removed by the next one', async () => {
    const dataFolder = await makeDataFolder()
    const half = join(dataFolder, 'postgres.unfinished-0123456789ab')
    await mkdir(join(half, 'global'), { recursive: true })
    await writeFile(join(half, 'PG_VERSION'), '18\n')
    await writeFile(`${half}.password`, 'secret')
    await startHere(dataFolder)
    expect((await readdir(dataFolder)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it.runIf(isThorough)('by a kill once it is in the midst of initdb, the next one succeeds', async () => {
    const dataFolder = await makeDataFolder()
    const child = startInChild(dataFolder)
    await until(async () => {
      const half = (await readdir(dataFolder).catch(() => [])).find((name) => /unfinished-\w+$/.test(name))
      return half !== undefined && isThere(join(dataFolder, half, 'global'))
    }, Boolean)
    await killNow(child)
    const { connection } = await startHere(dataFolder)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
