import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import type { Context } from '../../base/context.ts'
import { timeOrderedId } from '../../base/ids.ts'
import { advanceDeliveries } from '../deliveries/advance-deliveries.ts'
import { adoptUserEvents } from '../events/adopt-user-events.ts'
import { trackEvent } from '../events/track-event.ts'
import { trackPurchase } from '../events/track-purchase.ts'
import { addTags } from '../installations/add-tags.ts'
import { addValueTag } from '../installations/add-value-tag.ts'
import { registerInstallation } from '../installations/register-installation.ts'
import { setAttributes } from '../installations/set-attributes.ts'
import { unregisterInstallation } from '../installations/unregister-installation.ts'
import { updateInstallation } from '../installations/update-installation.ts'
import { sendByQuery } from '../messages/send-by-query.ts'
import { sendToUsers } from '../messages/send-to-users.ts'
import { replace, take } from '../promo/promo.test-support.ts'
import { recordReceipts } from '../receipts/record-receipts.ts'
import { verifyInvariants } from '../statistics/verify-invariants.ts'
import { deleteUser } from './delete-user.ts'
import { exportUser } from './export-user.ts'

const store = await createTestStore()

const register = async (ctx: Context, userId: string, more: Record<string, unknown> = {}) => {
  const { id } = await registerInstallation(ctx, { userId, deviceType: 'android', ...more })
  return id as string
}
const logIn = (ctx: Context, id: string, userId: string) => updateInstallation(ctx, { id, body: { userId, isGuest: false } })
const send = async (ctx: Context, ...users: string[]) => {
  const answer = await sendToUsers(ctx, { users, content: `to ${users.join(' and ')}` })
  return (answer as { id: string }).id
}

async function numberOf(ctx: Context, installationId: string): Promise<number> {
  const [row] = await store.query<{ installation_no: number }>(sql`
    select installation_no from installations where app_id = ${ctx.app.id} and id = ${installationId}`)
  return row?.installation_no as number
}

async function userNoOf(ctx: Context, userId: string): Promise<number> {
  const [row] = await store.query<{ user_no: number }>(sql`
    select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId}`)
  return row?.user_no as number
}

async function open(ctx: Context, installationId: string, messageId: string) {
  const at = ctx.now()
  const step = { appId: ctx.app.id, messageId, installationNo: await numberOf(ctx, installationId), state: 'sent', at } as const
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...step, provider: 'fcm' }]))
  await recordReceipts(ctx, { installationId, receipts: [{ messageId, kind: 'opened', actionId: '', happenedAt: at }] })
}

/** A user with something of every kind. */
async function createSara(ctx: Context) {
  const installation = await register(ctx, 'sara', { deviceToken: 'sara-token', deviceModel: 'Phone 9', subscriptions: ['public/news'] })
  await addTags(ctx, { userId: 'sara', tags: ['vip'] })
  await addValueTag(ctx, { userId: 'sara', tag: 'city', value: 'tehran' })
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
  await setAttributes(ctx, { installationId: installation, attributes: { theme: 'dark' } })
  await trackEvent(ctx, { userId: 'sara', eventName: 'AddToCart', eventData: { sku: 'A-17' } })
  await trackPurchase(ctx, { userId: 'sara', eventName: 'Order', revenue: 12.5, currency: 'EUR' })
  const own = await send(ctx, 'sara')
  const shared = await send(ctx, 'sara', 'omid')
  const { id: group } = await sendByQuery(ctx, { target: {}, content: 'to everybody' })
  for (const message of [own, shared, group]) await open(ctx, installation, message)
  await replace(ctx, undefined, 'CODE-1\nCODE-2\n')
  await take(ctx, [await userNoOf(ctx, 'sara')], { messageId: own })
  return { installation, own, shared, group }
}

/** Everything of an app as text: what was deleted must not be found in it. */
async function dump(ctx: Context): Promise<string> {
  const tables = await store.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'app_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace`)
  const texts: string[] = []
  for (const { name } of tables) {
    const [row] = await store.query<{ text: string | null }>({
      ...sql`select string_agg(t::text, ' ') as text from ${{ ...sql``, strings: [name], values: [] } as never} t`,
    } as never)
    texts.push(row?.text ?? '')
  }
  return texts.join('\n')
}

async function expectSound() {
  const verdicts = await verifyInvariants({ store }, { onVerdict: () => undefined })
  expect(verdicts.filter((verdict) => verdict.broken > 0)).toEqual([])
}
