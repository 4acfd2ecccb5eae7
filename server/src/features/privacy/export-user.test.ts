import { json } from 'node:stream/consumers'
import { until } from '@peyk/test/runner/until.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { trackEvent } from '../events/track/track-event.ts'
import { sendToUsers } from '../messages/send/send-to-users.ts'
import { exportUser } from './export-user.ts'

const { ctx, store, baseUrl, token } = await createTestServer()
const eventCount = 400
const messageCount = 300

async function createBusyUser(userId: string): Promise<void> {
  await trackEvent(ctx, { userId, eventName: 'Seen', eventData: { n: 0 } })
  await sendToUsers(ctx, { user: userId, content: 'hello' })
  await store.query(sql`
    insert into events (app_id, id, user_no, event_at, name, data)
    select e.app_id, e.id, e.user_no, e.event_at + n * interval '1 second', e.name,
      jsonb_build_object('text', repeat('x', 20000), 'n', n)
    from events e, generate_series(1, ${eventCount}) n where e.app_id = ${ctx.app.id}`)
  await store.query(sql`
    with sent as (
      insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
      select m.app_id, (left(m.id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, m.accepted_at, m.expires_at, 1, m.product,
        m.audience, m.channel, jsonb_build_object('content', repeat('x', 20000))
      from messages m, generate_series(1, ${messageCount}) n where m.app_id = ${ctx.app.id}
      returning app_id, id
    )
    insert into message_users (app_id, message_id, user_id) select app_id, id, ${userId} from sent`)
}

it('an export has everything, however much it is, and holds no connection while it is read', async () => {
  await createBusyUser('sara')
  const text = await exportUser(ctx, { userId: 'sara' })
  await until(
    () =>
      store.query(sql`
        select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`),
    (open) => open.length === 0,
  )
  const { events, messages } = (await json(text.read())) as {
    events: { eventData: { n: number } }[]
    messages: { id: string }[]
  }
  expect(events.map(({ eventData }) => eventData.n)).toEqual(Array.from({ length: eventCount + 1 }, (_, n) => n))
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messageCount + 1)

  const answer = await fetch(`${baseUrl}/api/users/sara/export`, { headers: { 'x-access-token': token } })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const downloaded = (await answer.json()) as { events: object[] }
  expect(downloaded.events).toHaveLength(eventCount + 1)
})
