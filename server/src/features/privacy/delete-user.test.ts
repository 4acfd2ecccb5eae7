import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore, silentLog, testPoolSize } from '@peyk/test/database/test-store.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import { effort } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql, { raw } from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context, OutwardContext } from '#base/context.ts'
import { hashBody, runOnce } from '#base/idempotency/idempotency.ts'
import { openStore, type Store } from '#base/store/store.ts'
import { advanceDeliveries } from '../deliveries/progress/advance-deliveries.ts'
import { trackBulk } from '../events/track/track-bulk.ts'
import { trackEvent } from '../events/track/track-event.ts'
import { trackPurchase } from '../events/track/track-purchase.ts'
import { setAttributes } from '../installations/attributes/set-attributes.ts'
import { connectInstallation } from '../installations/connections/connect-installation.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { updateInstallation } from '../installations/register/update-installation.ts'
import { addTags } from '../installations/tags/add-tags.ts'
import { addValueTag } from '../installations/tags/add-value-tag.ts'
import { unregisterInstallation } from '../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../messages/send/send-by-query.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { forgetInterests } from '../outbox/outbox.ts'
import { replace, take } from '../promo/promo.test-support.ts'
import { recordClientBatch } from '../receipts/record-client-batch.ts'
import { recordReceipts } from '../receipts/record-receipts.ts'
import { createCalls } from '../webhooks/calls/create-calls.ts'
import { deleteUser } from './delete-user.ts'
import { readExport } from './export.test-support.ts'
import { finishDeletions } from './finish-deletions.ts'

const store = await createTestStore()
/** Another process on the same database: what it collects in memory is its own. */
const otherStore = openStore(store.url, { poolSize: testPoolSize })
afterAll(async () => {
  await otherStore.drain()
  await otherStore.close()
})

/** They have numbers that lead nowhere, and a hash. */
const onlyNumbers = ['forgotten_users', 'forgotten_installations', 'audience_parts']

/** Every row of an app, in whatever table. */
async function dump(ctx: Context): Promise<Record<string, unknown>[]> {
  const tables = await store.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables t
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and exists (select from information_schema.columns c
                  where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'app_id')
      and not exists (select from pg_class p where p.relname = t.table_name and p.relispartition)`)
  expect(tables.length).toBeGreaterThan(45)
  const found: Record<string, unknown>[] = []
  for (const { name } of tables) {
    const rows = await store.query<{ row: Record<string, unknown> }>(
      raw(`select to_jsonb(t) as row from ${name} t where app_id = ${ctx.app.id}`),
    )
    found.push(...rows.map(({ row }) => ({ table: name, ...row })))
  }
  return found
}

interface Person {
  userId: string
  userNos: number[]
  installationNos: number[]
  installationIds: string[]
}

/** Rows that say something of the person. */
async function findTraces(ctx: Context, { userId, userNos, installationNos, installationIds }: Person) {
  const rows = await dump(ctx)
  return rows.filter((row) => {
    const text = JSON.stringify(row)
    if ([userId, ...installationIds].some((word) => text.includes(word))) return true
    if (onlyNumbers.includes(row.table as string)) return false
    const listed = (row.installation_nos as number[] | null | undefined) ?? []
    return (
      [row.user_no, row.login_user_no, row.verified_user_no].some((no) => userNos.includes(no as number)) ||
      [row.installation_no, ...listed].some((no) => installationNos.includes(no as number))
    )
  })
}

async function numbersOf(ctx: Context, userId: string): Promise<Person> {
  const rows = await store.query<{ user_no: number; installation_no: number | null; id: string | null }>(sql`
    select u.user_no, i.installation_no, i.id from users u left join installations i using (app_id, user_no)
    where u.app_id = ${ctx.app.id} and u.user_id = ${userId}`)
  return {
    userId,
    userNos: rows.map((row) => row.user_no),
    installationNos: rows.flatMap((row) => row.installation_no ?? []),
    installationIds: rows.flatMap((row) => row.id ?? []),
  }
}

async function expectSound() {
  expect(await findBroken(store)).toEqual([])
}

async function addWebhook(ctx: Context): Promise<void> {
  await store.query(sql`
    insert into webhooks (app_id, webhook_id, url, sealed_secret, events)
    values (${ctx.app.id}, ${randomUUID()}, 'https://example.com', ''::bytea,
      ${['user.new', 'installation.new', 'installation.uninstalled', 'message.delivered', 'message.opened', 'message.failed']})`)
  for (const each of [store, otherStore]) forgetInterests(each)
}

const keyed = (ctx: OutwardContext, key: string, run: (inner: Context) => Promise<unknown>) =>
  runOnce(ctx, { route: 'POST /x', key, bodyHash: hashBody('') }, run)

async function open(ctx: Context, installationId: string, messageId: string) {
  const receipts = [{ messageId, kind: 'opened' as const, actionId: '', happenedAt: ctx.now() }]
  await recordReceipts(ctx, { installationId, receipts })
}

/** Requests of every kind that say something of a user. */
function writersOf(ctx: OutwardContext, userId: string, phone: string, messages: string[]): (() => Promise<unknown>)[] {
  const [group, own] = messages as [string, string]
  return [
    () => trackEvent(ctx, { userId, eventName: 'Open', eventData: { value: 1 } }),
    () => trackEvent(ctx, { installationId: phone, eventName: 'Touch' }),
    () => trackPurchase(ctx, { userId, eventName: 'Order', revenue: 3, currency: 'EUR' }),
    () =>
      trackBulk(ctx, [
        { userId, eventName: 'Bulk' },
        { userId: 'omid', eventName: 'Bulk' },
      ]),
    () => keyed(ctx, randomUUID(), (inner) => trackEvent(inner, { userId, eventName: 'Keyed' })),
    () => addTags(ctx, { userId, tags: [`tag-${randomUUID()}`] }),
    () => addValueTag(ctx, { userId, tag: 'city', value: 'tehran' }),
    () => setAttributes(ctx, { userId, attributes: { firstName: 'Sara' } }),
    () => setAttributes(ctx, { installationId: phone, attributes: { theme: 'dark' } }),
    () => registerInstallation(ctx, { userId, deviceType: 'android' }),
    () => keyed(ctx, randomUUID(), (inner) => registerInstallation(inner, { userId, deviceType: 'ios' })),
    () => updateInstallation(ctx, { id: phone, body: { userId, clientVersion: '2.0' } }),
    () => unregisterInstallation(ctx, { id: phone }),
    () => sendToUsers(ctx, { users: [userId], content: `only to ${userId}` }),
    () => sendToUsers(ctx, { users: [userId, 'omid'], content: 'to both' }),
    () => open(ctx, phone, group),
    () => open(ctx, phone, own),
    () =>
      recordClientBatch(ctx, {
        installationId: phone,
        eventData: [
          { type: 2, data: { id: randomUUID(), eventName: 'Tap', createdAt: Date.now() } },
          { type: 1, actionType: 'OPENED', msgId: group, actionTs: Date.now() },
        ],
      } as never),
    () =>
      connectInstallation(ctx, {
        installationId: phone,
        userId,
        holder: randomUUID(),
        connectionId: randomUUID(),
        isClean: false,
      } as never),
    () => createCalls(ctx.store),
  ]
}

async function createPerson(ctx: OutwardContext, userId: string) {
  const { id } = await registerInstallation(ctx, { userId, deviceType: 'android', deviceToken: `token of ${userId}` })
  const { id: own } = (await sendToUsers(ctx, { users: [userId], content: `for ${userId}` })) as { id: string }
  const { id: group } = await sendByQuery(ctx, { target: {}, content: 'to everybody' })
  const person = await numbersOf(ctx, userId)
  const steps = [own, group].map((messageId) => ({
    ...{ appId: ctx.app.id, messageId, at: ctx.now(), state: 'sent' as const, provider: 'fcm' },
    installationNo: person.installationNos[0] as number,
  }))
  await store.transaction((tx) => advanceDeliveries(tx, steps))
  return { person, phone: id as string, messages: [group, own] }
}

/** Numbers that in-flight requests made on their way are theirs too. */
async function followNumbers(ctx: Context, person: Person, until: Promise<unknown>): Promise<Person> {
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  const seen = { ...person }
  while (!isOver) {
    const now = await numbersOf(ctx, person.userId)
    for (const key of ['userNos', 'installationNos', 'installationIds'] as const)
      seen[key] = [...new Set([...seen[key], ...now[key]] as never[])]
  }
  await over
  return seen
}

describe('deleting a user while requests are in flight', () => {
  it('leaves nothing of the user in any table, whoever wrote at the moment', async () => {
    const ctx = await createTestApp(store)
    const other: OutwardContext = { ...ctx, store: otherStore }
    await addWebhook(ctx)
    await registerInstallation(ctx, { userId: 'omid', deviceType: 'android' })
    for (let round = 0; round < effort.deletions; round++) {
      const userId = `sara-${round}`
      const { person, phone, messages } = await createPerson(ctx, userId)
      const writers = [ctx, other].flatMap((each) => writersOf(each, userId, phone, messages))
      const written = writers.map((write) => write().catch(() => undefined))
      // Sooner and later: what waits in memory, what waits for the database, and what is committed.
      await Promise.race(written.slice(0, 1 + ((round * 9) % written.length)))
      const deleted = deleteUser(ctx, { userId })
      const seen = await followNumbers(ctx, person, deleted)
      await deleted
      await Promise.all(written)
      expect(await findTraces(ctx, seen), `after round ${round}`).toEqual([])
    }
    await expectSound()
  })

  it('lets the user come back as a new one', async () => {
    const ctx = await createTestApp(store)
    const other: OutwardContext = { ...ctx, store: otherStore }
    const { person } = await createPerson(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    for (const each of [ctx, other]) {
      await trackEvent(each, { userId: 'sara', eventName: 'Back' })
      await addTags(each, { userId: 'sara', tags: ['back'] })
      await setAttributes(each, { userId: 'sara', attributes: { isBack: true } })
      await registerInstallation(each, { userId: 'sara', deviceType: 'web' })
      await sendToUsers(each, { users: ['sara'], content: 'welcome back' })
    }
    const exported = await readExport(ctx, { userId: 'sara' })
    expect(exported).toMatchObject({
      tags: [{ tag: 'back' }],
      attributes: { isBack: true },
      events: [{ eventName: 'Back' }, { eventName: 'Back' }],
      messages: [{ content: 'welcome back' }, { content: 'welcome back' }],
    })
    expect(exported.installations).toHaveLength(2)
    expect((await numbersOf(ctx, 'sara')).userNos).not.toContain(person.userNos[0])
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ users: 1, installations: 2, events: 2 })
  })

  it('takes a request that came before the deletion for a part of it, and says that it was stored', async () => {
    const ctx = await createTestApp(store)
    await createPerson(ctx, 'sara')
    const earlier: OutwardContext = { ...ctx, begunAt: ctx.now() }
    await deleteUser(ctx, { userId: 'sara' })
    const count = { count: 0 }
    expect(await trackEvent(earlier, { userId: 'sara', eventName: 'Late' })).toMatchObject({ queued: true })
    expect(await trackBulk(earlier, [{ userId: 'sara', eventName: 'Late' }])).toMatchObject({ n: 1 })
    expect(await addTags(earlier, { userId: 'sara', tags: ['late'] })).toEqual(count)
    expect(await setAttributes(earlier, { userId: 'sara', attributes: { late: 1 } })).toEqual(count)
    expect(await sendToUsers(earlier, { users: ['sara'], content: 'late' })).toMatchObject(count)
    await expect(registerInstallation(earlier, { userId: 'sara', deviceType: 'web' })).rejects.toMatchObject({
      status: 503,
    })
    expect(await findTraces(ctx, { ...(await numbersOf(ctx, 'sara')), userId: 'sara' })).toEqual([])
    // The same once the user is back: what came earlier is not of the new one.
    await addTags(ctx, { userId: 'sara', tags: ['back'] })
    await registerInstallation(ctx, { userId: 'sara', deviceType: 'web' })
    await trackEvent(earlier, { userId: 'sara', eventName: 'Late' })
    await addTags(earlier, { userId: 'sara', tags: ['late'] })
    expect(await readExport(ctx, { userId: 'sara' })).toMatchObject({ events: [], tags: [{ tag: 'back' }] })
  })

  it('waits for a transaction that has read of the user and writes later', async () => {
    const ctx = await createTestApp(store)
    const { person } = await createPerson(ctx, 'sara')
    let isOver = false
    let looks = 0
    const watched: Store = {
      ...store,
      query: (statement, name) => {
        if (name === 'list-writers') looks++
        return store.query(statement, name)
      },
    }
    const { deleted } = await store.transaction(async (tx) => {
      await tx.query(sql`select from users where app_id = ${ctx.app.id}`)
      const deleted = deleteUser({ ...ctx, store: watched }, { userId: 'sara' }).then((answer) => {
        isOver = true
        return answer
      })
      await poll(() => isOver || looks > 3).toBe(true)
      expect(isOver).toBe(false)
      await tx.query(sql`
        insert into user_tags (app_id, user_no, tag) values (${ctx.app.id}, ${person.userNos[0]}, 'late')`)
      return { deleted }
    })
    expect(await deleted).toMatchObject({ users: 1, tags: 1 })
    expect(await findTraces(ctx, person)).toEqual([])
  })

  it('lets who sends at the moment store nothing of what was handed over', async () => {
    const ctx = await createTestApp(store)
    const { person, messages } = await createPerson(ctx, 'sara')
    const [installationNo] = person.installationNos as [number]
    await replace(ctx, undefined, 'CODE-1\nCODE-2\n')
    await deleteUser(ctx, { userId: 'sara' })
    const step = { appId: ctx.app.id, messageId: messages[0] as string, installationNo, at: ctx.now() }
    await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'sent', provider: 'fcm' }]))
    expect(await take(ctx, person.userNos, { messageId: messages[0] as string })).toEqual([undefined])
    expect(await findTraces(ctx, person)).toEqual([])
  })
})

describe('what is kept beside the tables of the user', () => {
  it('empties the answers of idempotency keys, and does not carry the requests out again', async () => {
    const ctx = await createTestApp(store)
    const register = (inner: Context) => registerInstallation(inner, { userId: 'sara', deviceType: 'android' })
    await keyed(ctx, 'k1', register)
    await keyed(ctx, 'k2', (inner) => registerInstallation(inner, { userId: 'omid', deviceType: 'android' }))
    const person = await numbersOf(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    expect(await findTraces(ctx, person)).toEqual([])
    await expect(keyed(ctx, 'k1', register)).rejects.toMatchObject({ code: 'not-found' })
    expect(await keyed(ctx, 'k2', register)).toMatchObject({ isReplay: true, answer: { userId: 'omid' } })
    expect((await numbersOf(ctx, 'sara')).userNos).toEqual([])
  })

  it('takes back what webhooks were still to be told', async () => {
    const ctx = await createTestApp(store)
    await addWebhook(ctx)
    for (const userId of ['sara', 'omid']) await registerInstallation(ctx, { userId, deviceType: 'android' })
    await createCalls(store)
    await registerInstallation(ctx, { userId: 'sara', deviceType: 'ios' })
    const person = await numbersOf(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    expect(await findTraces(ctx, person)).toEqual([])
    const left = await store.query<{ user_id: string }>(sql`
      select body->>'userId' as user_id from webhook_calls where app_id = ${ctx.app.id}
      union select body->>'userId' from outbox where app_id = ${ctx.app.id}`)
    expect(left).toEqual([{ user_id: 'omid' }])
  })
})

describe('a process that dies in the middle of a deletion', () => {
  /** The first half is done, an older writer leaves something, and nobody is there for the second half. */
  async function dieHalfway(ctx: OutwardContext): Promise<Person> {
    const { person } = await createPerson(ctx, 'sara')
    let halves = 0
    const dying: Store = {
      ...store,
      transaction: (work) => (++halves > 1 ? Promise.reject(new Error('killed')) : store.transaction(work)),
    }
    await expect(deleteUser({ ...ctx, store: dying }, { userId: 'sara' })).rejects.toThrow('killed')
    await store.query(sql`
      insert into user_tags (app_id, user_no, tag) values (${ctx.app.id}, ${person.userNos[0]}, 'late')`)
    return person
  }

  it('has it finished by whoever asks again', async () => {
    const ctx = await createTestApp(store)
    const person = await dieHalfway(ctx)
    expect(await deleteUser(ctx, { userId: 'sara' })).toMatchObject({ users: 0, tags: 1 })
    expect(await findTraces(ctx, person)).toEqual([])
    await expect(deleteUser(ctx, { userId: 'sara' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('has it finished by a job, which leaves alone who came back meanwhile', async () => {
    const ctx = await createTestApp(store)
    const person = await dieHalfway(ctx)
    await store.query(sql`
      update user_deletions set begun_at = begun_at - interval '1 hour',
        traces = jsonb_set(traces, '{forgottenAt}', to_jsonb((traces->>'forgottenAt')::float8 - 3600000))
      where app_id = ${ctx.app.id}`)
    await addTags(ctx, { userId: 'sara', tags: ['back'] })
    await finishDeletions({ store, now: ctx.now, log: silentLog })
    expect(await readExport(ctx, { userId: 'sara' })).toMatchObject({ tags: [{ tag: 'back' }] })
    const left = await findTraces(ctx, { ...person, userId: 'no words' })
    expect(left).toEqual([])
  })

  it('keeps its marks for a day', async () => {
    const ctx = await createTestApp(store)
    await createPerson(ctx, 'sara')
    await deleteUser(ctx, { userId: 'sara' })
    const countMarks = async () =>
      (
        await store.query(sql`
          select 1 from forgotten_users where app_id = ${ctx.app.id}
          union all select 1 from forgotten_installations where app_id = ${ctx.app.id}`)
      ).length
    await finishDeletions({ store, now: () => new Date(Number(ctx.now()) + 23 * 3_600_000), log: silentLog })
    expect(await countMarks()).toBe(3)
    await finishDeletions({ store, now: () => new Date(Number(ctx.now()) + 25 * 3_600_000), log: silentLog })
    expect(await countMarks()).toBe(0)
  })
})
