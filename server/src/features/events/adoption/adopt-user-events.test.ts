import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { expectCountersAsModelled } from '../counter-model.test-support.ts'
import {
  addInstallation,
  addUser,
  giveInstallation,
  readCounters,
  readEvents,
  readUserCounters,
} from '../events.test-support.ts'
import { draftEvent } from '../track/draft-event.ts'
import { trackBulk } from '../track/track-bulk.ts'
import { trackEvent } from '../track/track-event.ts'
import { trackPurchase } from '../track/track-purchase.ts'
import { writeEvents } from '../write/write-events.ts'
import { adoptUserEvents } from './adopt-user-events.ts'

const store = await createTestStore()
const job = { store, log: silentLog }

/** As a login leaves it: the installation and the row for us, in one commit. */
async function logIn(ctx: Context, userId: string): Promise<{ id: string; no: number }> {
  const phone = await addInstallation(ctx, userId)
  const userNo = await addUser(ctx, userId)
  await store.query(sql`
    insert into event_adoptions values (${ctx.app.id}, ${userNo}, ${phone.no}) on conflict do nothing`)
  return phone
}

async function adoptionsLeft(ctx: Context): Promise<number> {
  return (await store.query(sql`select from event_adoptions where app_id = ${ctx.app.id}`)).length
}

test('events of a user without a device go to the device of the first login, with their counters', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open', eventTime: Date.UTC(2026, 0, 1), eventData: { value: 5 } })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Ticket', revenue: 0.1 })
  await trackEvent(ctx, { userId: 'sara', eventName: 'Purchase' })
  const phone = await logIn(ctx, 'sara')
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open', eventTime: Date.UTC(2026, 0, 2), eventData: { value: 7 } })
  await adoptUserEvents(job)
  const tablet = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  const events = await readEvents(ctx)
  expect(events.map((event) => event.installation_id)).toEqual(Array(4).fill(phone.id))
  expect(await readUserCounters(ctx)).toEqual([])
  expect(await readCounters(ctx)).toMatchObject([
    {
      owner: phone.no,
      key: 'open',
      count: 2,
      first: Date.UTC(2026, 0, 1),
      last: Date.UTC(2026, 0, 2),
      sum: 12,
      lastValue: 7,
    },
    { owner: phone.no, key: 'purchase', count: 1, sum: 0.1 },
    { owner: phone.no, key: 'ticket', count: 1, sum: 0.1 },
  ])
  expect(await adoptionsLeft(ctx)).toBe(0)
  await expectCountersAsModelled(ctx)
  expect(tablet.no).not.toBe(phone.no)
})

test('an event that counts under no key is adopted too', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Purchase' })
  const phone = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: phone.id }])
  expect(await readCounters(ctx)).toEqual([])
  expect(await readUserCounters(ctx)).toEqual([])
})

test('a login with nothing to adopt leaves nothing behind', async () => {
  const ctx = await createTestApp(store)
  for (let index = 0; index < 20; index++) await logIn(ctx, `user-${index}`)
  await adoptUserEvents(job)
  expect(await adoptionsLeft(ctx)).toBe(0)
})

test('users of other apps keep what is theirs', async () => {
  const [left, right] = [await createTestApp(store), await createTestApp(store)]
  for (const ctx of [left, right]) await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  await logIn(left, 'sara')
  await adoptUserEvents(job)
  expect(await readUserCounters(left)).toEqual([])
  expect(await readUserCounters(right)).toMatchObject([{ key: 'open', count: 1 }])
})

test('an adoption whose installation is gone is dropped, and the events stay with the user', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const phone = await logIn(ctx, 'sara')
  await store.query(sql`delete from installations where app_id = ${ctx.app.id} and installation_no = ${phone.no}`)
  await adoptUserEvents(job)
  expect(await adoptionsLeft(ctx)).toBe(0)
  expect(await readUserCounters(ctx)).toMatchObject([{ key: 'open', count: 1 }])
})

test('very many events are moved slice by slice', async () => {
  const ctx = await createTestApp(store)
  const events = Array.from({ length: 1000 }, (_, index) => ({
    userId: 'sara',
    eventName: 'Open',
    eventTime: Date.UTC(2026, 0, 1) + (index % 300) * 1000,
    eventData: { value: 1 },
  }))
  for (let times = 0; times < 12; times++) await trackBulk(ctx, events)
  const phone = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  expect(await readCounters(ctx)).toMatchObject([{ owner: phone.no, key: 'open', count: 12_000, sum: 12_000 }])
  const [row] = await store.query(sql`
    select count(*) from events where app_id = ${ctx.app.id} and installation_no = ${phone.no}`)
  expect(row).toEqual({ count: 12_000 })
})

test('what was moved before a crash is not counted again', async () => {
  const ctx = await createTestApp(store)
  await trackBulk(
    ctx,
    Array.from({ length: 50 }, () => ({ userId: 'sara', eventName: 'Open' })),
  )
  const phone = await logIn(ctx, 'sara')
  await store.query(sql`
    update events set installation_no = ${phone.no} where app_id = ${ctx.app.id}
      and id in (select id from events where app_id = ${ctx.app.id} limit 20)`)
  await adoptUserEvents(job)
  await adoptUserEvents(job)
  expect(await readCounters(ctx)).toMatchObject([{ key: 'open', count: 50 }])
  await expectCountersAsModelled(ctx)
})

test('several who adopt at once adopt once', async () => {
  const ctx = await createTestApp(store)
  const users = Array.from({ length: 10 }, (_, index) => `user-${index}`)
  await trackBulk(
    ctx,
    users.flatMap((userId) => [
      { userId, eventName: 'Open' },
      { userId, revenue: 0.3 },
    ]),
  )
  for (const userId of users) await logIn(ctx, userId)
  await Promise.all(Array.from({ length: 5 }, () => adoptUserEvents(job)))
  expect(await readUserCounters(ctx)).toEqual([])
  expect((await readCounters(ctx)).filter(({ key }) => key === 'open')).toHaveLength(10)
  await expectCountersAsModelled(ctx)
})

test('an adoption waits for a writer who did not see the login', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const { phone, adoption } = await store.transaction(async (tx) => {
    await trackEvent({ ...ctx, tx }, { userId: 'sara', eventName: 'Open' })
    const phone = await logIn(ctx, 'sara')
    const adoption = adoptUserEvents(job)
    await poll(waitsForWriters).toBe(true)
    return { phone, adoption }
  })
  await adoption
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: phone.id }, { installation_id: phone.id }])
  await expectCountersAsModelled(ctx)

  async function waitsForWriters() {
    const rows = await store.query(sql`
      select from pg_locks where locktype = 'advisory' and objid = ${ctx.app.id} and not granted`)
    return rows.length > 0
  }
})

test('a writer who looked before the login and writes after the adoption leaves his event for another one', async () => {
  const ctx = await createTestApp(store)
  const userNo = await addUser(ctx, 'sara')
  const phone = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  const draft = draftEvent(ctx, { userId: 'sara', eventName: 'Open' })
  await store.transaction((tx) => writeEvents(tx, [{ draft, userNo, installationNo: null }]))
  expect(await adoptionsLeft(ctx)).toBe(1)
  await adoptUserEvents(job)
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: phone.id }])
  await expectCountersAsModelled(ctx)
})

test('an adoption is not settled while such a writer has not committed', async () => {
  const ctx = await createTestApp(store)
  const userNo = await addUser(ctx, 'sara')
  const phone = await logIn(ctx, 'sara')
  const draft = draftEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const { adoption } = await store.transaction(async (tx) => {
    await writeEvents(tx, [{ draft, userNo, installationNo: null }])
    const adoption = adoptUserEvents(job)
    await poll(waitsForRow).toBe(true)
    return { adoption }
  })
  await adoption
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: phone.id }])
  await expectCountersAsModelled(ctx)

  async function waitsForRow() {
    const rows = await store.query(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%event_adoptions%' and datname = current_database()`)
    return rows.length > 0
  }
})

test('logins, events and adoptions in any order leave every event with its device, counted once', async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ track: fc.constantFrom('a', 'b', 'c'), revenue: fc.option(fc.constantFrom(0.1, 5)) }),
    },
    { weight: 2, arbitrary: fc.record({ logIn: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 1, arbitrary: fc.record({ adopt: fc.constant(true) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 15 }), { minLength: 1, maxLength: 3 }), async (rounds) => {
      const ctx = await createTestApp(store)
      const logins = new Map<string, string[]>()
      for (const round of rounds) {
        await Promise.all(
          round.map(async (each) => {
            if ('adopt' in each) return adoptUserEvents(job)
            if ('logIn' in each) {
              const { id } = await logIn(ctx, each.logIn)
              return void logins.set(each.logIn, [...(logins.get(each.logIn) ?? []), id])
            }
            const { track: userId, revenue } = each
            await (revenue === null
              ? trackEvent(ctx, { userId, eventName: 'Open', eventData: { value: 1 } })
              : trackPurchase(ctx, { userId, eventName: 'Ticket', revenue }))
          }),
        )
      }
      await adoptUserEvents(job)
      for (const event of await readEvents(ctx)) {
        const own = logins.get(event.user_id)
        if (own) expect(own).toContain(event.installation_id)
        else expect(event.installation_id).toBeNull()
      }
      expect(await adoptionsLeft(ctx)).toBe(0)
      await expectCountersAsModelled(ctx)
    }),
    { numRuns: 40 },
  )
})

test('a user whose device is somebody else’s again has new events alone until the next login', async () => {
  const ctx = await createTestApp(store)
  const phone = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  await giveInstallation(ctx, phone.id, 'omid', false)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  await adoptUserEvents(job)
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: null }])
  const tablet = await logIn(ctx, 'sara')
  await adoptUserEvents(job)
  expect(await readEvents(ctx)).toMatchObject([{ installation_id: tablet.id }])
  await expectCountersAsModelled(ctx)
})

/** Whose device is somebody else's has events alone: nothing but the adoption's own lock keeps them out of it. */
async function addHomeless(ctx: Context): Promise<void> {
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  const phone = await logIn(ctx, 'sara')
  await giveInstallation(ctx, phone.id, 'omid', false)
}

async function isWaiting(): Promise<boolean> {
  const rows = await store.query(sql`
    select from pg_locks where locktype = 'advisory' and not granted and database = (
      select oid from pg_database where datname = current_database())`)
  return rows.length > 0
}

test.each(['move-events', 'move-counters'])('an event that comes before %s is counted where it is', async (moment) => {
  const ctx = await createTestApp(store)
  await addHomeless(ctx)
  let late: Promise<unknown> | undefined
  const watched: typeof store = {
    ...store,
    transaction: (work) =>
      store.transaction((tx) =>
        work({
          ...tx,
          query: async (statement, name) => {
            if (name === moment) {
              let isThrough = false
              late = trackEvent(ctx, { userId: 'sara', eventName: 'Late' }).then(() => {
                isThrough = true
              })
              // It comes through, or has to wait for the adoption.
              await poll(async () => isThrough || (await isWaiting())).toBe(true)
            }
            return tx.query(statement, name)
          },
        }),
      ),
  }
  await adoptUserEvents({ ...job, store: watched })
  expect(late).toBeDefined()
  await late
  await expectCountersAsModelled(ctx)
})

test('counters agree with the events while devices change hands and events come by user id', async () => {
  const ctx = await createTestApp(store)
  const users = ['a', 'b', 'c']
  const phones = await Promise.all(users.map((userId) => logIn(ctx, userId)))
  for (let round = 0; round < 15; round++) {
    await Promise.all([
      ...users.flatMap((userId) =>
        ['Open', `Round-${round}`].map((eventName) => trackEvent(ctx, { userId, eventName })),
      ),
      ...phones.map((phone, index) => giveInstallation(ctx, phone.id, users[(index + round) % 2] as string, false)),
      logIn(ctx, users[round % 3] as string).then((phone) => giveInstallation(ctx, phone.id, 'omid', false)),
      adoptUserEvents(job),
      trackBulk(ctx, [
        { userId: 'c', eventName: 'Open' },
        { userId: 'a', eventName: `Bulk-${round}` },
      ]),
    ])
  }
  await adoptUserEvents(job)
  await expectCountersAsModelled(ctx)
})
