import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { findBroken } from '@peyk/test/invariants.ts'
import sql, { raw } from 'sql-template-tag'
import { expect, it } from 'vitest'
import { migrate } from '#base/store/migrate.ts'
import { trackPurchase } from '../../events/track/track-purchase.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { storePastDeliveries } from '../../receipts/store-past-deliveries.ts'

const store = await createTestStore()
const file = '004-panel.sql'

const readDays = async () => ({
  activity: await store.query(sql`
    select app_id, day::text, platform, sum(installs)::int as installs, sum(uninstalls)::int as uninstalls, sum(churned)::int as churned
    from activity_days group by 1, 2, 3 order by 1, 2, 3`),
  deliveries: await store.query(sql`
    select app_id, day::text, platform, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(shown)::int as shown,
      sum(opened)::int as opened
    from delivery_days group by 1, 2, 3 order by 1, 2, 3`),
  events: await store.query(sql`
    select app_id, name, day::text, currency, sum(count)::int as count, sum(revenue)::float8 as revenue
    from event_days group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
})

it('counts what there is when an older database is brought up to date', async () => {
  const ctx = await createTestApp(store)
  const phones = await Promise.all(
    ['android', 'ios', 'other:tv'].map((deviceType, index) =>
      registerInstallation(ctx, { deviceType, userId: `user-${index}` }),
    ),
  )
  for (const currency of ['eur', 'EUR', 'usd']) {
    await trackPurchase(ctx, { userId: 'user-0', eventName: 'Order', revenue: 2.5, currency })
  }
  const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
  const numbers = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${ctx.app.id} order by installation_no`)
  const at = ctx.now()
  const kinds = [['delivered', 'shown', 'opened'], ['delivered', 'dismissed'], []] as const
  await storePastDeliveries(ctx, {
    messageId: id,
    recipients: 3,
    deliveries: numbers.map(({ no }, index) => ({
      installationNo: no,
      provider: 'fcm',
      at,
      receipts: (kinds[index] ?? []).map((kind) => ({ kind, actionId: '', happenedAt: at })),
    })),
  })
  await unregisterInstallation(ctx, { id: phones[1]?.id as string })
  const before = await readDays()
  expect(before.deliveries).toHaveLength(3)

  const text = await readFile(join(import.meta.dirname, '../../../base/store/migrations', file), 'utf8')
  for (const [, kind, name] of text.matchAll(/^create (?:unique )?(index|table) (\w+)/gm)) {
    await store.query(raw(`drop ${kind} if exists ${name}`))
  }
  await store.query(sql`delete from migrations where name = ${file}`)
  await migrate(store)
  expect(await readDays()).toEqual(before)
  expect(await findBroken(store)).toEqual([])
})
