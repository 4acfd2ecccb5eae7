import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

export interface InstallationRow {
  id: string
  installationNo: number
}

/** An installation of a user, both as rows: what a registration leaves. */
export async function addInstallation(
  ctx: Context,
  userId: string,
  options: {
    deviceType?: string
    subscriptions?: string[]
    isUninstalled?: boolean
    createdAt?: Date
    language?: string | null
  } = {},
): Promise<InstallationRow> {
  const id = randomUUID()
  const createdAt = (options.createdAt ?? new Date(ctx.now().getTime() - 60_000)).toISOString()
  const [row] = await ctx.store.query<{ installation_no: number }>(sql`
    with u as (
      insert into users (app_id, user_id) values (${ctx.app.id}, ${userId})
      on conflict (app_id, user_id) do update set user_id = excluded.user_id returning user_no
    )
    insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, created_at, uninstalled_at, is_guest, id, device_type, subscriptions, language)
    select ${ctx.app.id}, user_no, ${createdAt}, ${createdAt}, ${createdAt}, ${createdAt}, ${options.isUninstalled ? createdAt : null},
      false, ${id}, ${options.deviceType ?? 'android'}, ${options.subscriptions ?? []}, ${options.language ?? null}
    from u returning installation_no`)
  return { id, installationNo: row?.installation_no as number }
}

export interface StoredBatch {
  message_id: string
  lane: string
  state: string
  installation_nos: number[] | null
}

export async function readBatches(ctx: Context): Promise<StoredBatch[]> {
  return ctx.store.query<StoredBatch>(sql`
    select message_id, lane, state, to_json(installation_nos) as installation_nos from delivery_batches
    where app_id = ${ctx.app.id} order by batch_no`)
}

export async function countRows(
  ctx: Context,
  table: 'messages' | 'message_users' | 'delivery_batches' | 'campaigns',
): Promise<number> {
  const counts = {
    messages: sql`select count(*)::int as count from messages where app_id = ${ctx.app.id}`,
    message_users: sql`select count(*)::int as count from message_users where app_id = ${ctx.app.id}`,
    delivery_batches: sql`select count(*)::int as count from delivery_batches where app_id = ${ctx.app.id}`,
    campaigns: sql`select count(*)::int as count from campaigns where app_id = ${ctx.app.id}`,
  }
  const [row] = await ctx.store.query<{ count: number }>(counts[table])
  return row?.count as number
}
