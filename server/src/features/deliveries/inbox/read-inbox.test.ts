import { leaveMessage, readDelivery } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { updateInstallation } from '../../installations/register/update-installation.ts'
import { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import { resumeAllSending } from '../control/resume-all-sending.ts'
import { stopAllSending } from '../control/stop-all-sending.ts'
import { type InboxAsk, readInboxRows } from './inbox-store.ts'
import { type InboxMessage, readInbox } from './read-inbox.ts'

const store = await createTestStore()

async function register(ctx: Context, userId: string) {
  const { id } = await registerInstallation(ctx, { deviceType: 'android', userId, isGuest: false })
  const [row] = await store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
  )
  return { id, installationNo: row?.installation_no as number }
}

const ask = (
  ctx: Context,
  installationNo: number,
  options: { userId?: string; without?: string[]; limit?: number; isOpen?: boolean } = {},
) => ({
  appId: ctx.app.id,
  installationNo,
  userId: 'ali',
  without: [],
  clearing: [],
  limit: 10,
  connectedAt: new Date(Date.now() - 60_000),
  isOpen: true,
  ...options,
})

async function read(ctx: Context, asks: InboxAsk[]): Promise<InboxMessage[]> {
  const { messages } = await readInbox(ctx, asks, { texts: new PendingTexts(silentLog), onReady: () => undefined })
  return messages
}

/** Messages that its user and others had before. */
async function leaveMany(ctx: Context, installationNo: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => timeOrderedId(new Date(Date.now() - 60_000)))
  await store.query(sql`
    with all_ids as (select unnest(${ids}::uuid[]) as id), message as (
      insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
      select ${ctx.app.id}, id, now(), now() + interval '1 hour', 1, 'message', 'users', 'default', '{"content":"hello"}' from all_ids
    ), named as (
      insert into message_users (app_id, message_id, user_id) select ${ctx.app.id}, id, user_id from all_ids cross join (values ('ali'), ('sara'), ('omid')) as u(user_id)
    )
    insert into deliveries (app_id, message_id, installation_no, state, provider, in_inbox)
    select ${ctx.app.id}, id, ${installationNo}, 'delivered', 'connection', false from all_ids`)
}

/** How many rows of messages and of who they are for this transaction has read. */
async function countRead(tx: Database): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as count from pg_stat_xact_user_tables where relname ~ '^message(s|_users)_'`)
  return row?.count as number
}

describe('an inbox', () => {
  it('is read oldest first, without what is on its way, and so many', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push(await leaveMessage(ctx, id))
    const without = [ids[1] as string]
    const messages = await read(ctx, [ask(ctx, installationNo, { without, limit: 3 })])
    expect(messages.map(({ messageId }) => messageId)).toEqual([ids[0], ids[2], ids[3]])
  })

  it('is read without looking at messages that are not in it, whatever PostgreSQL believes about the tables', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    await leaveMany(ctx, installationNo, 500)
    const waiting = await leaveMessage(ctx, id)
    await store.transaction(async (tx) => {
      // As if it took everything else for cheaper.
      await tx.query(sql`set local enable_nestloop = off`)
      const before = await countRead(tx)
      expect((await readInboxRows(tx, [ask(ctx, installationNo)])).map((row) => row.message_id)).toEqual([waiting])
      expect((await countRead(tx)) - before).toBeLessThan(10)
    })
  })

  it('is one of its installation and its app', async () => {
    const [one, two] = [await createTestApp(store), await createTestApp(store)]
    const [ali, sara] = [await register(one, 'ali'), await register(two, 'ali')]
    const first = await leaveMessage(one, ali.id)
    await leaveMessage(two, sara.id)
    expect((await read(one, [ask(one, ali.installationNo)])).map(({ messageId }) => messageId)).toEqual([first])
    expect(await read(one, [ask(one, sara.installationNo)])).toEqual([])
  })

  it('keeps what was sent to one user from the next one on the device, until that one is back', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    const own = await leaveMessage(ctx, id)
    const toAll = await leaveMessage(ctx, id)
    await store.query(sql`update messages set audience = 'public' where app_id = ${ctx.app.id} and id = ${toAll}`)
    const readAs = async (userId: string, limit: number) =>
      (await read(ctx, [ask(ctx, installationNo, { userId, limit })])).map(({ messageId }) => messageId)
    await updateInstallation(ctx, { id, body: { userId: 'sara', isGuest: false } })
    expect(await readAs('sara', 1)).toEqual([toAll])
    const guest = await updateInstallation(ctx, { id, body: { isGuest: true } })
    expect(await readAs(guest.userId, 10)).toEqual([toAll])
    await updateInstallation(ctx, { id, body: { userId: 'ali', isGuest: false } })
    expect(await readAs('ali', 10)).toEqual([own, toAll])
  })

  it('is empty while all sending is stopped; what was live before is not for it afterwards', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    const kept = await leaveMessage(ctx, id)
    await leaveMessage(ctx, id, { body: { content: 'hello', live: true } })
    expect(await read(ctx, [ask(ctx, installationNo)])).toHaveLength(2)
    await stopAllSending(ctx)
    expect(await read(ctx, [ask(ctx, installationNo)])).toEqual([])
    await resumeAllSending(ctx)
    expect(await read(ctx, [ask(ctx, installationNo)])).toMatchObject([{ messageId: kept }])
  })

  it('is written for its user, with attributes and the code that was given', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    await setAttributes(ctx, { userId: 'ali', attributes: { city: 'Tehran' } })
    const messageId = await leaveMessage(ctx, id, { body: { content: '{{ user.city }}: {{ promoCode }}' } })
    await store.query(sql`
      insert into promo_given (app_id, code, message_id, user_no, set_no)
      select app_id, 'A1', ${messageId}, user_no, 1 from users where app_id = ${ctx.app.id} and user_id = 'ali'`)
    const [message] = await read(ctx, [ask(ctx, installationNo)])
    expect(JSON.parse(String(message?.body))).toMatchObject({ content: 'Tehran: A1' })
  })

  it('ends what cannot be written for its user', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    const notification = { title: 'T', body: 'B', clickUrl: '{{ user.link }}' }
    await setAttributes(ctx, { userId: 'ali', attributes: { link: 'javascript:alert(1)' } })
    const messageId = await leaveMessage(ctx, id, { body: { content: 'x', notification } })
    expect(await read(ctx, [ask(ctx, installationNo)])).toEqual([])
    expect(await readDelivery(ctx, messageId)).toEqual({ state: 'ended', reason: 'refused', in_inbox: false })
  })

  it('does not wait for a text that takes long, nor lets what is newer pass it', async () => {
    const ctx = await createTestApp(store)
    const [ali, sara] = [await register(ctx, 'ali'), await register(ctx, 'sara')]
    const slow = await leaveMessage(ctx, ali.id, { body: { content: '{% for i in (1..3) %}{{ i }}{% endfor %}' } })
    const plain = await leaveMessage(ctx, ali.id)
    const other = await leaveMessage(ctx, sara.id)
    const texts = new PendingTexts(silentLog)
    const asks = [ask(ctx, ali.installationNo), ask(ctx, sara.installationNo)]
    const ready = new Promise<number>((onReady) => {
      void readInbox(ctx, asks, { texts, onReady }).then(({ messages, waiting }) => {
        expect(messages.map(({ messageId }) => messageId)).toEqual([other])
        expect(waiting).toEqual(new Set([ali.installationNo]))
      })
    })
    expect(await ready).toBe(ali.installationNo)
    const { messages } = await readInbox(ctx, [asks[0] as InboxAsk], { texts, onReady: () => undefined })
    expect(messages.map(({ messageId }) => messageId)).toEqual([slow, plain])
    expect(JSON.parse(String(messages[0]?.body))).toMatchObject({ content: '123' })
  })

  it('ends a message whose text never ends', async () => {
    const ctx = await createTestApp(store)
    const { id, installationNo } = await register(ctx, 'ali')
    const hanging = await leaveMessage(ctx, id, {
      body: { content: '{{ (9007199254740992..9007199254740994) | first }} in an inbox' },
    })
    const texts = new PendingTexts(silentLog)
    await new Promise((onReady) => void readInbox(ctx, [ask(ctx, installationNo)], { texts, onReady }))
    await readInbox(ctx, [ask(ctx, installationNo)], { texts, onReady: () => undefined })
    expect(await readDelivery(ctx, hanging)).toEqual({ state: 'ended', reason: 'refused', in_inbox: false })
  })

  it('has each message in the language of its installation, or in the one it was handed over in', async () => {
    const ctx = await createTestApp(store)
    const [ali, sara] = [await register(ctx, 'ali'), await register(ctx, 'sara')]
    await updateInstallation(ctx, { id: ali.id, body: { language: 'fa-IR' } })
    const body = { content: 'Hello', contents: { fa: { content: 'سلام' }, de: { content: 'Hallo' } } }
    for (const { id } of [ali, sara]) await leaveMessage(ctx, id, { body })
    const asks = [ask(ctx, ali.installationNo), ask(ctx, sara.installationNo)]
    const contents = async () => (await read(ctx, asks)).map((message) => JSON.parse(String(message.body)).content)
    expect(await contents()).toEqual(['سلام', 'Hello'])
    await store.query(sql`update deliveries set language = 'de' where app_id = ${ctx.app.id}`)
    expect(await contents()).toEqual(['Hallo', 'Hallo'])
    await store.query(sql`update deliveries set language = 'default' where app_id = ${ctx.app.id}`)
    expect(await contents()).toEqual(['Hello', 'Hello'])
  })

  it('has each message in the variant that was handed over, in the language of its installation', async () => {
    const ctx = await createTestApp(store)
    const [ali, sara] = [await register(ctx, 'ali'), await register(ctx, 'sara')]
    await updateInstallation(ctx, { id: ali.id, body: { language: 'fa-IR' } })
    const variants = [
      { name: 'A', share: 50, content: 'A' },
      { name: 'B', share: 50, content: 'B', contents: { fa: { content: 'ب' } } },
    ]
    for (const { id } of [ali, sara]) await leaveMessage(ctx, id, { body: { content: 'Hello', variants } })
    const asks = [ask(ctx, ali.installationNo), ask(ctx, sara.installationNo)]
    const contents = async () => (await read(ctx, asks)).map((message) => JSON.parse(String(message.body)).content)
    for (const [variant, expected] of [
      ['A', ['A', 'A']],
      ['B', ['ب', 'B']],
    ] as const) {
      await store.query(sql`update deliveries set variant = ${variant} where app_id = ${ctx.app.id}`)
      expect(await contents()).toEqual(expected)
    }
  })
})
