import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, executable, findBinaries } from '@peyk/server/base/store/embedded/binaries.ts'
import { prepareDatabaseHome } from '@peyk/server/base/store/embedded/database-home.ts'
import { findPassword } from '@peyk/server/base/store/embedded/initialise-cluster.ts'
import { bootstrapConnectionTo, openClient } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { buildPostgresArguments } from '@peyk/server/base/store/embedded/postgres-settings.ts'
import { makeBinariesReachable } from '@peyk/server/base/store/embedded/reachable-binaries.ts'
import { prepareSocketFolder } from '@peyk/server/base/store/embedded/socket-folder.ts'
import { asUser } from '@peyk/server/base/store/embedded/unprivileged-user.ts'

const pollMs = 5

/** How long PostgreSQL alone takes from its start on this data folder to its first answer. It is stopped again. */
export async function timePostgresStart(dataFolder: string): Promise<number> {
  const silent = () => {}
  const home = await prepareDatabaseHome(dataFolder, silent)
  const packaged = await findBinaries()
  const binaries = home.user ? await makeBinariesReachable(packaged, home.user, silent) : packaged
  const socketFolder = await prepareSocketFolder(home)
  const args = await buildPostgresArguments(home.pgdata, socketFolder, {})
  const connection = bootstrapConnectionTo(socketFolder, (await findPassword(dataFolder)) ?? '')
  const startedAt = performance.now()
  const child = spawn(executable(binaries, 'postgres'), args, {
    ...asUser(home.user),
    cwd: '/',
    env: environment(binaries),
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    while (child.exitCode === null) {
      const client = await openClient(connection).catch(() => undefined)
      if (client) {
        await client.query('select 1')
        const ms = performance.now() - startedAt
        await client.end()
        return ms
      }
      await sleep(pollMs)
    }
    throw new Error('PostgreSQL did not start.')
  } finally {
    child.kill('SIGINT')
    await exited
  }
}
