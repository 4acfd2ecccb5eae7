import { execFile } from 'node:child_process'
import { mkdir, rename, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { migrate } from '@peyk/server/base/store/migrate.ts'
import { createPartitions } from '@peyk/server/base/store/partitions.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import { createApp } from '@peyk/server/features/accounts/apps/create-app.ts'
import sql from 'sql-template-tag'
import { afterAll, inject } from 'vitest'
import { makeGuardedFolder } from '../runner/guard.ts'
import { until } from '../runner/until.ts'
import { freePort, ServiceProcess } from './service-process.ts'

/**
 * A data folder as after a first start, with the app `demo` and its tokens in demo.json, but without the demo's data:
 * those take most of the time of a first start in development, and are not made where the app has a user. The first who
 * wants it makes it; each gets a copy of their own.
 */
export async function copyPreparedFolder(prefix: string): Promise<string> {
  const root = inject('preparedFolder')
  const [making, made] = [join(root, 'making'), join(root, 'made')]
  const isFirst = await mkdir(making).then(
    () => true,
    () => false,
  )
  if (isFirst) await make(made).catch((error) => rmdir(making).then(() => Promise.reject(error)))
  else await until(() => stat(made).catch(() => undefined), Boolean)
  const folder = await makeGuardedFolder(prefix)
  await promisify(execFile)('cp', ['-a', `${made}/.`, folder])
  return folder
}

/** A service of this file's own on such a folder, not started yet. Call it at the top of the file. */
export async function prepareService(prefix: string): Promise<ServiceProcess> {
  const service = new ServiceProcess(await copyPreparedFolder(prefix), await freePort())
  afterAll(() => service.remove())
  return service
}

async function make(made: string): Promise<void> {
  const dataFolder = await makeGuardedFolder('peyk-prepared-')
  const postgres = await startEmbeddedPostgres({ dataFolder, settings: { fsync: 'off' }, onLog() {} })
  const store = openStore(postgres.connection, { poolSize: 2 })
  try {
    await migrate(store)
    await createPartitions(store, new Date())
    const { app, accessToken, clientKey } = await createApp(
      { store, now: () => new Date() },
      { label: 'demo', tokenNames: { server: 'demo.json access token', client: 'demo.json client key' } },
    )
    await store.query(sql`insert into users (app_id, user_id, is_guest) values (${app.id}, 'user-1', false)`)
    await writeFile(join(dataFolder, 'demo.json'), JSON.stringify({ appId: 'demo', accessToken, clientKey }))
  } finally {
    await store.close()
    await postgres.stop()
  }
  await rename(dataFolder, made)
}
