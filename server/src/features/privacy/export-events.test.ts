import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { listEvents } from '../events/list-events.ts'
import { trackEvent } from '../events/track-event.ts'
import { exportUser } from './export-user.ts'

const store = await createTestStore()

it('an export has the newest events and a cursor to the others when they are too many for one answer', async () => {
  const ctx = await createTestApp(store)
  await trackEvent(ctx, { userId: 'sara', eventName: 'Seen', eventData: { text: 'x' } })
  await store.query(sql`
    insert into events (app_id, id, user_no, event_at, name, data)
    select e.app_id, e.id, e.user_no, e.event_at - n * interval '1 second', e.name,
      jsonb_build_object('text', repeat('x', 100000), 'n', n)
    from events e, generate_series(1, 500) n where e.app_id = ${ctx.app.id}`)
  const { events, eventsCursor } = await exportUser(ctx, { userId: 'sara' })
  expect(events.at(-1)).toMatchObject({ eventData: { text: 'x' } })
  expect(events.length).toBe(400)
  const older: unknown[] = []
  let cursor = eventsCursor
  while (cursor !== undefined) {
    const page = await listEvents(ctx, { userId: 'sara', limit: 1_000, cursor })
    older.push(...page.data)
    cursor = 'cursor' in page ? page.cursor : undefined
  }
  expect(older).toHaveLength(101)
})
