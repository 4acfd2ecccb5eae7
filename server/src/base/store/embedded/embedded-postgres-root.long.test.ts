import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeGuardedFolder } from '../../../../../test/helpers/guard.ts'
import { findBinaries } from './binaries.ts'
import { makeTestFolder } from './embedded-postgres.test-support.ts'
import { makeBinariesReachable } from './reachable-binaries.ts'
import { canEnter, chooseUnprivilegedUser } from './unprivileged-user.ts'

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
})
