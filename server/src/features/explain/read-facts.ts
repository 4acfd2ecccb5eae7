import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CredentialProvider, Pause } from '../accounts/providers/stored-provider.ts'
import { type Detail, type DetailColumns, readDetail } from '../deliveries/details/detail.ts'
import { decidedFor } from '../deliveries/other-user/decided-for.ts'
import { isHeld } from '../installations/connections/is-connected-now.ts'
import type { MessageRow } from '../messages/stored/message-answer.ts'
import type { BatchFacts, DeliveryFacts, InstallationFacts, MessageFacts } from './facts.ts'
import { judgeRules } from './judge-rules.ts'

type Own<Fact> = Fact & { installationNo: number }

/** All there is of a message and one user's installations. */
export async function readFacts(
  ctx: Context,
  row: MessageRow,
  userId: string,
): Promise<{ message: MessageFacts; installations: InstallationFacts[] }> {
  const found = await readInstallations(ctx, row.id, userId)
  const numbers = found.map((installation) => installation.installationNo)
  const deliveries = await readDeliveries(ctx, row.id, numbers)
  const attempts = await readAttempts(ctx, row.id, numbers)
  const receipts = await readReceipts(ctx, row.id, numbers)
  const batches = await readBatches(ctx, row.id, numbers)
  const rules = row.target ? await judgeRules(ctx, row.target, row.accepted_at, numbers) : undefined
  const of = (installationNo: number) => (fact: { installationNo: number }) => fact.installationNo === installationNo
  return {
    message: await readMessageFacts(ctx, row, userId),
    installations: found.map((installation) => {
      const isOf = of(installation.installationNo)
      return {
        ...installation,
        delivery: deliveries.find(isOf),
        attempts: attempts.filter(isOf),
        receipts: receipts.filter(isOf),
        batch: batches.find(isOf),
        rules: rules?.get(installation.installationNo) ?? [],
      }
    }),
  }
}

async function readMessageFacts(ctx: Context, row: MessageRow, userId: string): Promise<MessageFacts> {
  const named = await db(ctx).query(sql`
    select from message_users where app_id = ${ctx.app.id} and message_id = ${row.id} and user_id = ${userId}`)
  const open = await db(ctx).query<{ up_to: number }>(sql`
    select coalesce(expanded_up_to, 0) as up_to from delivery_batches
    where app_id = ${ctx.app.id} and message_id = ${row.id} and installation_nos is null and state <> 'cancelled'`)
  const providers = await db(ctx).query<{ provider: CredentialProvider; at: Date | null; reason: string | null }>(sql`
    select provider, paused_at as at, paused_reason as reason from provider_credentials where app_id = ${ctx.app.id}`)
  const pauseOf = ({ at, reason }: { at: Date | null; reason: string | null }): Pause | undefined =>
    at ? { at, reason: reason ?? '' } : undefined
  return {
    row,
    isNamed: named.length > 0,
    expandedUpTo: open[0]?.up_to,
    providers: new Map(providers.map((each) => [each.provider, pauseOf(each)])),
    now: ctx.now(),
  }
}

type Found = Omit<InstallationFacts, 'delivery' | 'attempts' | 'receipts' | 'batch' | 'rules'>

/**
 * The user's installations: current ones, those where the user was the last to log in, and those that were the user's
 * when the recipients were decided.
 */
async function readInstallations(ctx: Context, messageId: string, userId: string): Promise<Found[]> {
  return db(ctx).query<Found>(sql`
    select i.installation_no as "installationNo", i.id, i.device_type as "deviceType", i.language, i.created_at as "createdAt",
      i.logged_in_at as "loggedInAt", i.uninstalled_at as "uninstalledAt", i.subscriptions, i.user_no = u.user_no as "isOwn",
      ${decidedFor} <> u.user_no as "isOthers",
      d.device_token as token, d.token_status as "tokenStatus",
      c.is_open is not null as "isConnected", coalesce(c.is_open, false) as "isOpen"
    from users u
    join messages m on m.app_id = u.app_id and m.id = ${messageId}
    join installations i on i.app_id = u.app_id and (i.user_no = u.user_no or i.login_user_no = u.user_no or (
      i.installation_no = any(array(
        select installation_no from installation_user_changes where app_id = u.app_id and from_user_no = u.user_no))
      and ${decidedFor} = u.user_no))
    left join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
    left join connections c on c.app_id = i.app_id and c.installation_no = i.installation_no
      and ${isHeld}
    where u.app_id = ${ctx.app.id} and u.user_id = ${userId}
    order by i.installation_no`)
}

async function readDeliveries(ctx: Context, messageId: string, numbers: number[]): Promise<Own<DeliveryFacts>[]> {
  const rows = await db(ctx).query<Own<Omit<DeliveryFacts, keyof Detail>> & DetailColumns>(sql`
    select installation_no as "installationNo", state, reason, provider, detail, detail_code, detail_provider,
      language, variant, tested_at as "testedAt", sent_at as "sentAt", updated_at as "updatedAt", expires_at as "expiresAt"
    from deliveries
    where app_id = ${ctx.app.id} and message_id = ${messageId} and installation_no = any(${numbers}::bigint[])`)
  return rows.map(({ detail, detail_code, detail_provider, ...row }) => ({
    ...row,
    ...readDetail({ detail, detail_code, detail_provider }),
  }))
}

async function readAttempts(ctx: Context, messageId: string, numbers: number[]) {
  return db(ctx).query<Own<InstallationFacts['attempts'][number]>>(sql`
    select installation_no as "installationNo", attempted_at as at, provider, outcome, detail
    from delivery_attempts
    where app_id = ${ctx.app.id} and message_id = ${messageId} and installation_no = any(${numbers}::bigint[])
    order by attempted_at`)
}

async function readReceipts(ctx: Context, messageId: string, numbers: number[]) {
  return db(ctx).query<Own<InstallationFacts['receipts'][number]>>(sql`
    select installation_no as "installationNo", kind, action_id as "actionId", happened_at as "happenedAt"
    from receipts
    where app_id = ${ctx.app.id} and message_id = ${messageId} and installation_no = any(${numbers}::bigint[])
    order by happened_at, array_position(array['delivered', 'shown', 'opened', 'acted', 'dismissed'], kind), action_id`)
}

async function readBatches(ctx: Context, messageId: string, numbers: number[]): Promise<Own<BatchFacts>[]> {
  return db(ctx).query<Own<BatchFacts>>(sql`
    select listed.number as "installationNo", b.state, b.attempts, b.available_at as "availableAt",
      b.lease_holder is not null and b.available_at > peyk_now() as "isLeased",
      b.lane = 'later' and b.stream <> 'expand' as "isForLater", b.paced_from is not null as "isPaced", b.expires_at as "expiresAt"
    from delivery_batches b cross join lateral unnest(b.installation_nos) as listed(number)
    where b.app_id = ${ctx.app.id} and b.message_id = ${messageId} and listed.number = any(${numbers}::bigint[])`)
}
