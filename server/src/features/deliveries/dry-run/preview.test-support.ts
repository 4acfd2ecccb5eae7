import { createHash, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { addInstallation, type InstallationRow } from '../../messages/installation-rows.test-support.ts'

export const tokens = {
  fcm: (name: string) => `${name}:APA91b-fcm-token`,
  apns: (name: string) => createHash('sha256').update(name).digest('hex'),
  webpush: (name: string) =>
    JSON.stringify({ endpoint: `https://push.example/${name}`, keys: { p256dh: 'x', auth: 'y' } }),
}

/** An installation with what a registration leaves in its details. */
export async function addDevice(
  ctx: Context,
  userId: string,
  options: {
    deviceType?: string
    token?: string
    tokenStatus?: string
    subscriptions?: string[]
    language?: string
  } = {},
): Promise<InstallationRow> {
  const { token, tokenStatus, ...rest } = options
  const row = await addInstallation(ctx, userId, rest)
  const hash = token === undefined ? null : createHash('sha256').update(token).digest()
  await ctx.store.query(sql`
    insert into installation_details (app_id, installation_no, device_token, device_token_hash, token_status)
    values (${ctx.app.id}, ${row.installationNo}, ${token ?? null}, ${hash}, ${tokenStatus ?? null})`)
  return row
}

export async function connect(ctx: Context, { installationNo }: InstallationRow): Promise<void> {
  const holder = randomUUID()
  await ctx.store.query(sql`insert into connection_holders values (${holder}, now() + interval '1 hour')`)
  await ctx.store.query(sql`
    insert into connections (app_id, installation_no, holder, connection_id)
    values (${ctx.app.id}, ${installationNo}, ${holder}, ${randomUUID()})`)
}

export async function addCredentials(
  ctx: Context,
  provider: string,
  options: { pausedReason?: string } = {},
): Promise<void> {
  await ctx.store.query(sql`
    insert into provider_credentials (app_id, provider, sealed, shown, paused_at, paused_reason)
    values (${ctx.app.id}, ${provider}, ${ctx.external.secretBox.seal('{}')}, '{}',
      ${options.pausedReason ? ctx.now().toISOString() : null}, ${options.pausedReason ?? null})`)
}

export async function setUserAttribute(ctx: Context, userId: string, name: string, value: unknown): Promise<void> {
  await ctx.store.query(sql`
    insert into user_attributes (app_id, user_no, name, kind, value)
    select app_id, user_no, ${name}, 'text', ${JSON.stringify(value)} from users
    where app_id = ${ctx.app.id} and user_id = ${userId}`)
}

/** How many rows every table has. */
export async function countAllRows(ctx: Context): Promise<Record<string, number>> {
  const tables = await ctx.store.query<{ name: string }>(sql`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await ctx.store.transaction((tx) =>
      tx.client.query(`select count(*)::int as count from "${name}"`),
    )
    counts[name] = rows[0].count
  }
  return counts
}
