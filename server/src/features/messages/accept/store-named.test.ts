import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { sendToUsers } from '../send/send-to-users.ts'
import { draftPersonal } from './draft-personal.ts'
import type { NamedDraft } from './named-draft.ts'
import { storeNamedAtOnce } from './store-named.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })

const draft = () =>
  draftPersonal(
    { user: 'sara', content: 'Hello' },
    { appId: ctx.app.id, product: 'message', at: ctx.now(), clock: ctx.now },
  ) as NamedDraft

async function countMessages(): Promise<number> {
  const [row] = await store.query<{ count: number }>(sql`select count(*) from messages where app_id = ${ctx.app.id}`)
  return row?.count as number
}

it('stores messages at once', async () => {
  const sent = [draft(), draft()]
  const stored = await storeNamedAtOnce(store, sent, undefined)
  expect(stored).toEqual({ accepted: sent.map(({ id }) => ({ id, count: 1 })), leased: [] })
  expect(await countMessages()).toBe(2)
})

it('stores nothing at once when somebody was deleted since the first request came: then it is looked at who', async () => {
  const [early, late] = [draft(), draft()]
  await store.query(sql`
    insert into forgotten_users (app_id, id_hash, forgotten_at) values (${ctx.app.id}, ${Buffer.from('who')}, ${early.begunAt})`)
  const before = await countMessages()
  expect(await storeNamedAtOnce(store, [late, early], undefined)).toBeUndefined()
  expect(await countMessages()).toBe(before)
  await store.query(sql`update forgotten_users set forgotten_at = now() + interval '1 hour'`)
  expect(await sendToUsers(ctx, { user: 'sara', content: 'Hello' })).toMatchObject({ count: 1 })
  expect(await countMessages()).toBe(before + 1)
})
