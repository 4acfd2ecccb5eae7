import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cleanUp, makeDataFolder, query, startHere, untilPid } from './embedded-postgres.test-support.ts'

const itAsRoot = it.runIf(process.getuid?.() === 0)

describe('as root', () => {
  itAsRoot('PostgreSQL runs as another user, and the password stays with root', async () => {
    const dataFolder = await makeDataFolder()
    await startHere(dataFolder)
    const pid = await untilPid(dataFolder)
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0)
    expect(await stat(join(dataFolder, 'postgres-password'))).toMatchObject({ uid: 0 })
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o711)
  })

  itAsRoot('a data folder open to root alone is opened for passing through', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(dataFolder, { mode: 0o700 })
    const { connection } = await startHere(dataFolder)
    expect(connection.host).toBe(join(dataFolder, 'run'))
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  itAsRoot('a data folder in a place that only root may enter has its database elsewhere', async () => {
    const closed = await makeGuardedFolder('peyk-closed-')
    onTestFinished(() => rm(closed, { recursive: true, force: true }))
    const dataFolder = join(closed, 'data')
    onTestFinished(() => cleanUp(dataFolder))
    const first = await startHere(dataFolder)
    const elsewhere = (await readFile(join(dataFolder, 'database-folder'), 'utf8')).trim()
    expect(elsewhere).toMatch(/^\/var\/lib\/peyk\/\w+$/)
    expect(first.log).toEqual([
      expect.stringMatching(`^info: .* cannot enter .*: the database is kept in ${elsewhere}.$`),
    ])
    await query(first.connection, "create table kept as select 'here' as word")
    await first.stop()

    const second = await startHere(dataFolder)
    expect(second.log).toEqual([])
    expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'here' }])
    await second.stop()

    await rm(elsewhere, { recursive: true })
    await expect(startHere(dataFolder)).rejects.toThrow(`the database is in ${elsewhere}, which is not there`)
  })
})
