import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Context, OutwardContext } from '@peyk/server/base/context.ts'
import { type External, realEndpoints } from '@peyk/server/base/external.ts'
import { randomToken } from '@peyk/server/base/ids.ts'
import { createSecretBox } from '@peyk/server/base/secrets/secret-box.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import type { Scope } from '@peyk/server/features/accounts/access-tokens/scopes.ts'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, expect, inject } from 'vitest'
import { recordPlaces } from '../../row-types/record-rows.ts'
import { administer, databaseUrl } from './database-cluster.ts'
import { watchLockOrder } from './lock-order.ts'

export const silentLog = pino({ level: process.env.PEYK_TEST_LOG ?? 'silent' })

/** Real endpoints, which no test reaches, and keys of chance. */
export const testExternal: External = {
  secretBox: createSecretBox([randomBytes(32)]),
  real: realEndpoints,
  webPushHosts: [],
}

export const testPoolSize = 6

/** On a busy machine many calls at once take longer than a user would wait. */
const testPatienceMs = 120_000

/** A database of this test file's own, gone when the file ends. Call it at the top of the file. */
export async function createTestStore({ patienceMs = testPatienceMs } = {}): Promise<Store & { url: string }> {
  const clusterUrl = inject('clusterUrl')
  const name = `peyk_test_${randomUUID().replaceAll('-', '')}`
  await administer(clusterUrl, `create database ${name} template ${inject('templateName')} strategy file_copy`)
  const url = databaseUrl(clusterUrl, name)
  const { store, faults } = watchLockOrder(recordPlaces(openStore(url, { poolSize: testPoolSize, patienceMs })))
  afterAll(async () => {
    await store.drain()
    await store.close()
    await administer(clusterUrl, `drop database if exists ${name} with (force)`)
    expect([...faults], 'locks against the order in ARCHITECTURE.md').toEqual([])
  })
  return Object.assign(store, { url })
}

let apps = 0

/** An app of this test's own. `at` moves its clock. */
export async function createTestApp(
  store: Store,
  options: { at?: () => Date; external?: External } = {},
): Promise<OutwardContext> {
  const label = `app-${process.pid}-${++apps}`
  const [row] = await store.query<{ app_id: number }>(
    sql`insert into apps (label, name) values (${label}, 'Test app') returning app_id`,
  )
  return {
    app: { id: row?.app_id as number, label },
    store,
    log: silentLog,
    now: options.at ?? (() => new Date()),
    external: options.external ?? testExternal,
  }
}

/** A token as the product makes them: only its hash is stored. */
export async function createTestToken(ctx: Context, scopes: Scope[] = ['server'], origins?: string[]): Promise<string> {
  const token = randomToken()
  const hash = createHash('sha256').update(token).digest()
  await ctx.store.query(sql`
    insert into access_tokens (app_id, token_id, hash, name, scopes, origins)
    values (${ctx.app.id}, ${randomUUID()}, ${hash}, 'test', ${scopes}, ${origins ?? null})`)
  return token
}
