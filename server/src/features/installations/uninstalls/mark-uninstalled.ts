import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { leaveInOutbox } from '../../outbox/outbox.ts'
import { isConnectedNow } from '../connections/is-connected-now.ts'
import { hashDeviceToken } from '../device-tokens/device-token.ts'
import { recordPastTokens } from '../device-tokens/past-tokens-store.ts'
import { countUninstalls } from '../record-activity.ts'

export interface GoneInstallation {
  installationNo: number
  /** The token that a provider called gone: if the installation has got another since, or is connected, it is not gone. */
  deviceToken?: string
}

/**
 * These installations are gone: out of every count and segment until they speak again
 * [users-and-events.md#uninstall-report, users-and-events.md#installations-and-users]. Their tokens are dead. The last
 * installation of a user makes the uninstall a churn.
 */
export async function markUninstalled(
  ctx: Context,
  input: { installations: readonly GoneInstallation[] },
): Promise<{ count: number }> {
  if (input.installations.length === 0) return { count: 0 }
  const at = ctx.now()
  return inTransaction(ctx, async (tx) => {
    const gone = await lockGone(tx, ctx.app.id, input.installations)
    if (gone.length === 0) return { count: 0 }
    const numbers = gone.map((row) => row.installation_no)
    await lockUsersByNumber(
      tx,
      ctx.app.id,
      gone.map((row) => row.user_no),
    )
    await tx.query(
      sql`update installations set uninstalled_at = ${at}
          where app_id = ${ctx.app.id} and installation_no = any(${numbers}::bigint[])`,
      'mark-uninstalled',
    )
    await dropTokens(tx, ctx, numbers)
    const uninstalls = await recordUninstalls(tx, ctx, numbers)
    await countUninstalls(tx, ctx.app.id, uninstalls, at)
    await emitUninstalls(tx, ctx, uninstalls)
    return { count: gone.length }
  })
}

async function lockGone(tx: Transaction, appId: number, installations: readonly GoneInstallation[]) {
  const hashes = installations.map(({ deviceToken }) =>
    deviceToken === undefined ? null : hashDeviceToken(deviceToken),
  )
  await tx.query(
    sql`select 1 from installations
        where app_id = ${appId} and installation_no = any(${installations.map((gone) => gone.installationNo)}::bigint[])
        order by installation_no for no key update`,
    'lock-gone-installations',
  )
  return tx.query<{ installation_no: number; user_no: number }>(
    sql`select distinct i.installation_no, i.user_no
        from unnest(${installations.map((gone) => gone.installationNo)}::bigint[], ${hashes}::bytea[]) as k(installation_no, hash)
        join installations i on i.app_id = ${appId} and i.installation_no = k.installation_no and i.uninstalled_at is null
        join installation_details d on d.app_id = ${appId} and d.installation_no = k.installation_no
        where k.hash is null or d.device_token_hash = k.hash and not ${isConnectedNow(sql`i.app_id`, sql`i.installation_no`)}`,
    'find-gone-installations',
  )
}

async function dropTokens(tx: Transaction, ctx: Context, numbers: number[]): Promise<void> {
  const dropped = await tx.query<{ installation_no: number; given_at: Date | null }>(
    sql`update installation_details d
        set device_token = null, device_token_hash = null, token_changed_at = ${ctx.now()}, updated_at = peyk_now()
        from (select app_id, installation_no, token_changed_at from installation_details
              where app_id = ${ctx.app.id} and installation_no = any(${numbers}::bigint[]) and device_token_hash is not null) old
        where d.app_id = old.app_id and d.installation_no = old.installation_no
        returning d.installation_no, old.token_changed_at as given_at`,
    'drop-dead-tokens',
  )
  await recordPastTokens(
    tx,
    dropped.map(({ installation_no, given_at }) => ({
      appId: ctx.app.id,
      installationNo: installation_no,
      givenAt: given_at ?? undefined,
      endedAt: ctx.now(),
      reason: 'gone',
    })),
  )
}

/** So that the last two installations of a user, gone at the same moment, do not overlook each other. */
async function lockUsersByNumber(tx: Transaction, appId: number, userNos: number[]): Promise<void> {
  await tx.query(
    sql`select 1 from users where app_id = ${appId} and user_no = any(${userNos}::bigint[]) order by user_no for no key update`,
    'lock-users-of-gone',
  )
}

interface Uninstall {
  installation_id: string
  device_type: string
  user_id: string
  is_churn: boolean
}

async function recordUninstalls(tx: Transaction, ctx: Context, numbers: number[]): Promise<Uninstall[]> {
  return tx.query<Uninstall>(
    sql`insert into uninstalls (app_id, uninstalled_at, installation_no, installation_id, device_type, user_id, is_churn)
        select i.app_id, i.uninstalled_at, i.installation_no, i.id, i.device_type, u.user_id,
          row_number() over (partition by i.user_no order by i.installation_no desc) = 1
          and not exists (select from installations other
                          where other.app_id = i.app_id and other.user_no = i.user_no and other.uninstalled_at is null)
        from installations i join users u using (app_id, user_no)
        where i.app_id = ${ctx.app.id} and i.installation_no = any(${numbers}::bigint[])
        order by i.installation_no
        returning installation_id, device_type, user_id, is_churn`,
    'record-uninstalls',
  )
}

async function emitUninstalls(tx: Transaction, ctx: Context, uninstalls: readonly Uninstall[]): Promise<void> {
  await leaveInOutbox(
    tx,
    ctx.store,
    uninstalls.map(({ installation_id, device_type, user_id, is_churn }) => ({
      appId: ctx.app.id,
      kind: 'installation.uninstalled',
      at: ctx.now(),
      body: { installationId: installation_id, deviceType: device_type, userId: user_id, isChurn: is_churn },
    })),
  )
}
