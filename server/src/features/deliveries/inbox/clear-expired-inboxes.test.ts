import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { addMessageTo } from '../progress/counters.test-support.ts'
import { clearExpiredInboxes } from './clear-expired-inboxes.ts'

const store = await createTestStore()

it('takes the marks off what only a provider brought when the message has expired for an hour, each once', async () => {
  const ctx = await createTestApp(store)
  const at = new Date()
  const messages: string[] = []
  for (const expiredFor of ['2 hours', '2 hours', '70 minutes', '50 minutes', '-1 day']) {
    const messageId = await addMessageTo(ctx, 2)
    messages.push(messageId)
    await store.query(sql`update messages set expires_at = now() - ${expiredFor}::interval where id = ${messageId}`)
    const delivery = { appId: ctx.app.id, messageId, state: 'sent', provider: 'fcm', inInbox: true, at } as const
    await store.transaction((tx) =>
      advanceDeliveries(tx, [
        { ...delivery, installationNo: 1 },
        { ...delivery, installationNo: 2 },
      ]),
    )
  }
  const marked = async () => {
    const rows = await store.query<{ message_id: string; count: number }>(sql`
      select message_id, count(*) as count from deliveries where app_id = ${ctx.app.id} and in_inbox group by 1`)
    return rows.map(({ message_id, count }) => [messages.indexOf(message_id), count]).sort()
  }
  await clearExpiredInboxes({ store })
  expect(await marked()).toEqual([
    [3, 2],
    [4, 2],
  ])
  await store.query(sql`update messages set expires_at = now() - interval '65 minutes' where id = ${messages[3]}`)
  await clearExpiredInboxes({ store })
  expect(await marked()).toEqual([[4, 2]])
})
