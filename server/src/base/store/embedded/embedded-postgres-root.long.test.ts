import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBinaries } from './binaries.ts'
import { makeDataFolder, makeTestFolder, startHere, untilPid } from './embedded-postgres.test-support.ts'
import { makeBinariesReachable } from './reachable-binaries.ts'
import { canEnter, chooseUnprivilegedUser, giveTreeTo } from './unprivileged-user.ts'

const itAsRoot = it.runIf(process.getuid?.() === 0)

describe('as root', () => {
  itAsRoot('binaries that only root may read are copied once to where the user can run them', async () => {
    const closed = await makeGuardedFolder('peyk-closed-')
    onTestFinished(() => rm(closed, { recursive: true, force: true }))
    const packaged = await findBinaries()
    const hidden = { ...packaged, folder: join(closed, 'native') }
    await cp(packaged.folder, hidden.folder, { recursive: true, verbatimSymlinks: true })
    const user = await chooseUnprivilegedUser(undefined)
    const shelf = join(await makeTestFolder(), 'shelf')
    const said: string[] = []
    const abandoned = join(shelf, `postgres.copying-4194305`)
    await mkdir(abandoned, { recursive: true })

    const copy = await makeBinariesReachable(hidden, user, (message) => said.push(message), [shelf])
    expect(copy.folder.startsWith(shelf)).toBe(true)
    expect(await canEnter(user, join(copy.folder, 'share'))).toBe(true)
    expect(await makeBinariesReachable(hidden, user, (message) => said.push(message), [shelf])).toEqual(copy)
    expect(said).toHaveLength(1)
    expect(await readdir(shelf)).toHaveLength(1)

    const refusal = await makeBinariesReachable(hidden, user, () => undefined, [join(closed, 'shelf')]).catch((e) => e)
    expect(refusal.message).toMatch(/cannot run PostgreSQL from .* set PEYK_DATABASE_URL\.$/)
  })

  itAsRoot(
    'a database that belongs to a user goes on as that user, and one that came to root is given back',
    async () => {
      const dataFolder = await makeDataFolder()
      await (await startHere(dataFolder)).stop()
      const pgdata = join(dataFolder, 'postgres')
      await giveTreeTo({ name: 'root', uid: 0, gid: 0 }, pgdata)
      await (await startHere(dataFolder)).stop()
      expect((await stat(pgdata)).uid).not.toBe(0)
      await giveTreeTo({ name: 'games', uid: 54321, gid: 54321 }, pgdata)
      await startHere(dataFolder)
      const pid = await untilPid(dataFolder)
      expect((await stat(`/proc/${pid}`)).uid).toBe(54321)
    },
  )
})
