import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { findBroken, writeCountedUsage } from '@peyk/test/invariants.ts'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { advanceDeliveries } from '../../deliveries/progress/advance-deliveries.ts'
import { addMessageTo } from '../../deliveries/progress/counters.test-support.ts'
import { adoptUserEvents } from '../../events/adoption/adopt-user-events.ts'
import { trackBulk } from '../../events/track/track-bulk.ts'
import { trackClientEvents } from '../../events/track/track-client-events.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { deleteUser } from '../../privacy/delete-user.ts'
import { replaceGlobalCodes } from '../../promo/replace-global-codes.ts'
import { takeCodes } from '../../promo/take-codes.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { findDamage } from './damage.test-support.ts'
import { invariants } from './invariants.ts'
import { type Verdict, verifyInvariants } from './verify-invariants.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const app = ctx.app.id
const id = timeOrderedId(new Date())

/** Of the data that the tests begin with. */
let verdicts: Verdict[]

beforeAll(async () => {
  const { id: installationId } = await registerInstallation(ctx, {
    deviceType: 'android',
    userId: 'sara',
    deviceToken: 'token',
  })
  await registerInstallation(ctx, { deviceType: 'web', isGuest: true })
  await addTags(ctx, { userId: 'sara', tags: ['vip'] })
  await setAttributes(ctx, { userId: 'sara', attributes: { plan: 'pro' } })
  await setAttributes(ctx, { installationId, attributes: { theme: 'dark' } })
  await trackBulk(ctx, [
    { userId: 'sara', eventName: 'Visit', eventData: { value: 2.5 } },
    { userId: 'sara', eventName: 'VISIT', eventData: { value: 'many' } },
    { userId: 'sara', eventName: 'ÜBUNG' },
    { userId: 'sara', eventName: 'Purchase' },
    { userId: 'sara', revenue: 12.1, currency: 'EUR' },
    { userId: 'sara', eventName: 'Ticket', revenue: 0.2 },
    { userId: 'nobody-yet', eventName: 'Purchase' },
    { userId: 'nobody-yet', eventName: 'Visit' },
  ])
  await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
  await sendToUsers(ctx, { user: 'sara', content: 'Hello again', repeat: { rule: 'FREQ=DAILY' } })
  await replaceGlobalCodes(ctx, { file: Readable.from(['A-1\nC-3\nB-2\nA-1\n']) })
  await store.transaction((tx) => takeCodes(tx, { appId: app, messageId: id, userNos: [1, 2] }))
  const many = await addMessageTo(ctx, 20)
  await store.transaction((tx) =>
    advanceDeliveries(
      tx,
      [1, 2, 3].map((no) => ({
        appId: app,
        messageId: many,
        installationNo: no,
        state: 'sent',
        provider: 'fcm',
        at: new Date(),
      })),
    ),
  )
  await recordReceipts(ctx, {
    installationId: installationId as string,
    receipts: [{ messageId: many, kind: 'acted', actionId: 'go', happenedAt: new Date() }],
  })
  const events = [{ id: 'e', eventName: 'Visit', influence: { msgId: many } }]
  await trackClientEvents(ctx, { installationId: installationId as string, events })
  await adoptUserEvents({ store, log: silentLog })
  await writeCountedUsage(store)
  verdicts = await verifyInvariants({ store }, { onVerdict: () => {} })
})

it('finds nothing wrong in what the verbs wrote, and says how much it looked at', () => {
  expect(verdicts.filter((verdict) => verdict.broken > 0)).toEqual([])
  expect(verdicts.map((verdict) => verdict.name)).toEqual(invariants.map((invariant) => invariant.name))
  const rows = Object.fromEntries(verdicts.map((verdict) => [verdict.name, verdict.rows]))
  expect(rows).toMatchObject({
    'installations belong to a user': 2,
    'events belong to a user': 9,
    'counters of deliveries agree with the deliveries': 2,
    'counters of influence hold all events that came after a message': 1,
    'event counters agree with the stored events': 4,
    'event counters of users without an installation agree with the stored events': 1,
    'delivery batches lead to the message': 1,
    'occurrences that are to go lead to their series': 5,
    'active promo sets hold as many codes as they say': 1,
    'no promo code was given twice': 2,
  })
})

it('finds nothing wrong after a user was forgotten', async () => {
  const other = await createTestApp(store)
  await registerInstallation(other, { deviceType: 'ios', userId: 'gone' })
  await addTags(other, { userId: 'gone', tags: ['a'] })
  await trackBulk(other, [
    { userId: 'gone', eventName: 'Visit' },
    { userId: 'stays', eventName: 'Visit' },
  ])
  await sendToUsers(other, { users: ['gone', 'stays'], content: 'Hello' })
  const [gone] = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${other.app.id}`)
  for (const recipients of [1, 20]) {
    const messageId = await addMessageTo(other, recipients)
    const step = { appId: other.app.id, messageId, installationNo: gone?.no as number, at: new Date() }
    await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, state: 'shown' }]))
  }
  await adoptUserEvents({ store, log: silentLog })
  await deleteUser(other, { userId: 'gone' })
  expect(await findBroken(store)).toEqual([])
})

it('lets counters be larger than what is left of the events once old ones may be dropped', async () => {
  const at = new Date(Date.now() - 500 * 86_400_000)
  const old = await createTestApp(store)
  await store.query(sql`update apps set created_at = ${at} where app_id = ${old.app.id}`)
  await trackBulk(old, [{ userId: 'u', eventName: 'Old', eventTime: Number(at) }])
  await store.query(sql`delete from events where app_id = ${old.app.id}`)
  expect(await findBroken(store)).toEqual([])
})

const breakages: [name: string, statement: Sql][] = [
  [
    'access tokens have',
    sql`insert into access_tokens (app_id, token_id, hash, name, scopes) values (${app}, ${randomUUID()}, ${Buffer.alloc(32)}, 'x', '{root}')`,
  ],
  [
    'event counters agree',
    sql`update event_counters set count = count + 1 where app_id = ${app} and event_key = 'visit'`,
  ],
  [
    'event counters of users',
    sql`update user_event_counters set last_at = now() + interval '1 hour' where app_id = ${app} and event_key = 'visit'`,
  ],
  ['no event is stored twice', sql`insert into events select * from events where app_id = ${app} and name = 'ÜBUNG'`],
  ['installations belong', sql`update installations set user_no = 1000000 where app_id = ${app} and is_guest`],
  [
    'installations that were logged in',
    sql`update installations set login_user_no = 1000000 where app_id = ${app} and not is_guest`,
  ],
  [
    'installation details have',
    sql`insert into installation_details (app_id, installation_no) values (${app}, 1000000)`,
  ],
  ['installations have', sql`delete from installation_details where app_id = ${app} and device_token is not null`],
  ['tags belong', sql`update user_tags set user_no = 1000000 where app_id = ${app}`],
  ['user attributes belong', sql`update user_attributes set user_no = 1000000 where app_id = ${app}`],
  [
    'installation attributes belong',
    sql`update installation_attributes set installation_no = 1000001 where app_id = ${app}`,
  ],
  ['attribute names', sql`delete from attribute_names where app_id = ${app} and name = 'plan'`],
  ['events belong', sql`update events set user_no = 1000000 where app_id = ${app} and name = 'Ticket'`],
  [
    'events of an installation',
    sql`update events set installation_no = 1000000 where app_id = ${app} and name = 'Ticket'`,
  ],
  ['ids that clients', sql`insert into event_ids values (${app}, 1000000, 'x', now())`],
  ['events that wait', sql`insert into event_adoptions values (${app}, 1000000, 1000000)`],
  ['active promo sets', sql`delete from promo_codes where app_id = ${app} and code = 'C-3'`],
  ['promo codes that were given', sql`update promo_sets set taken_up_to = '' where app_id = ${app}`],
  [
    'campaigns of group',
    sql`insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
        values (${app}, ${id}, now(), now(), 0, 'message', 'query', 'default', 'sale', '{}')`,
  ],
  [
    'every recipient of a message',
    sql`insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body, finished_at)
        values (${app}, ${timeOrderedId(new Date())}, now(), now() + interval '1 day', 1, 'message', 'public', 'default', '{}', now())`,
  ],
  [
    'messages have no more deliveries',
    sql`update messages set recipients = 0 where app_id = ${app} and id in (select message_id from deliveries)`,
  ],
  [
    'messages have no more installations',
    sql`update delivery_batches set installation_nos = installation_nos || 5::bigint where app_id = ${app}`,
  ],
  ['batches that wait for their turn', sql`update delivery_batches set paced_from = now() where app_id = ${app}`],
  ['users of messages', sql`insert into message_users values (${app}, ${timeOrderedId(new Date())}, 'x')`],
  [
    'delivery batches',
    sql`insert into delivery_batches (app_id, message_id, lane) values (${app}, ${randomUUID()}, 'group')`,
  ],
  ['a series that goes on', sql`update scheduled_messages set cancelled_at = now() where app_id = ${app}`],
  [
    'occurrences that are to go',
    sql`insert into scheduled_messages (app_id, id, product, sent, count, created_at, due_at, available_at, series_id, occurs_at)
        values (${app}, ${id}, 'message', '{}', 0, now(), now(), now(), ${randomUUID()}, now())`,
  ],
  ['counters of deliveries agree', sql`update delivery_counters set count = count + 1 where app_id = ${app}`],
  [
    'counters of deliveries lead',
    sql`insert into delivery_counters (app_id, message_id, slot, state, count, first_at, last_at)
        values (${app}, ${randomUUID()}, 0, 'sent', 0, now(), now())`,
  ],
  [
    'counters of languages agree',
    sql`insert into language_counters (app_id, message_id, language, slot, count) values (${app}, ${id}, 'fa', 0, 1)`,
  ],
  [
    'counters of languages lead',
    sql`insert into language_counters (app_id, message_id, language, slot, count)
        values (${app}, ${randomUUID()}, 'fa', 0, 0)`,
  ],
  [
    'decided winners lead',
    sql`insert into variant_decisions (app_id, message_id, variant, why, decided_at)
        values (${app}, ${randomUUID()}, 'A', 'best', now())`,
  ],
  ['deliveries of a test', sql`update deliveries set variant = 'A', tested_at = now() where app_id = ${app}`],
  [
    'deliveries that were sent',
    sql`update deliveries set sent_at = null where app_id = ${app} and state = 'sent' and provider = 'fcm'`,
  ],
  ['deliveries that ended', sql`update deliveries set reason = 'gone' where app_id = ${app} and state = 'sent'`],
  ['receipts have', sql`update receipts set installation_no = 1000000 where app_id = ${app} and kind = 'acted'`],
  ['counters of actions', sql`update action_counters set count = 0 where app_id = ${app}`],
  ['counters of influence', sql`delete from influence_counters where app_id = ${app}`],
  [
    'deliveries lead',
    sql`insert into deliveries (app_id, message_id, installation_no, state) values (${app}, ${timeOrderedId(new Date())}, 1, 'sent')`,
  ],
]

describe('what is broken', () => {
  it.each(breakages)('is found: %s', async (name, statement) => {
    const broken = await findDamage(store, statement)
    expect(broken.map((verdict) => verdict.name)).toContainEqual(expect.stringContaining(name))
    for (const verdict of broken) expect(verdict.example).toBeTruthy()
  })
})
