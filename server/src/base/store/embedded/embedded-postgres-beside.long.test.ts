import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  untilReady,
} from './embedded-postgres.test-support.ts'
import { connectRunningPostgres, DataFolderInUseError } from './embedded-postgres.ts'

describe('a second server on the same data folder', () => {
  it('is refused with the pid of the first', async () => {
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    const connection = await untilReady(child)
    const refusal = await startHere(dataFolder).catch((error) => error)
    expect(refusal).toBeInstanceOf(DataFolderInUseError)
    expect(refusal.message).toContain(dataFolder)
    expect(refusal.message).toContain(`process ${child.pid}`)
    expect(refusal.message).not.toContain('\n')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await killNow(child)
  })

  it('is refused in the same process, also when both start at once', async () => {
    const dataFolder = await makeDataFolder()
    const starts = await Promise.allSettled([startHere(dataFolder), startHere(dataFolder), startHere(dataFolder)])
    const refusals = starts.filter((start) => start.status === 'rejected')
    expect(refusals.map((refusal) => refusal.reason.name)).toEqual(['DataFolderInUseError', 'DataFolderInUseError'])
  })

  it('is refused by the session lock when the lock file says nothing', async () => {
    const dataFolder = await makeUsedDataFolder()
    const { connection } = await startHere(dataFolder)
    await writeFile(join(dataFolder, 'peyk.pid'), '1\nanother boot\n')
    await expect(startHere(dataFolder)).rejects.toThrow(DataFolderInUseError)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts when the lock file is of a process that is gone', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(dataFolder)
    await writeFile(join(dataFolder, 'peyk.pid'), `${process.pid}\nstarted at another time\n`)
    const { connection } = await startHere(dataFolder)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a command beside the server', () => {
  it('finds the running database, and none when none runs', async () => {
    const dataFolder = await makeUsedDataFolder()
    expect(await connectRunningPostgres(dataFolder)).toBeUndefined()
    const { connection, stop } = await startHere(dataFolder)
    expect(await connectRunningPostgres(dataFolder)).toEqual(connection)
    await stop()
    expect(await connectRunningPostgres(dataFolder)).toBeUndefined()
  })

  it('waits for a database that is still starting', async () => {
    // A new one would have to be made within the time that it waits.
    const dataFolder = await makeUsedDataFolder()
    const child = startInChild(dataFolder)
    await until(() => isThere(join(dataFolder, 'peyk.pid')), Boolean)
    const connection = await connectRunningPostgres(dataFolder)
    expect(connection && (await query(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
    await killNow(child)
  })
})
