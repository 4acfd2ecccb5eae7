import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { hashDeviceToken } from './device-token.ts'

/** Takes tokens away that belong to another project. The installations stay: the app is there, only not reachable so. */
export async function detachTokens(
  ctx: Context,
  { tokens }: { tokens: readonly { installationNo: number; token: string }[] },
): Promise<void> {
  await db(ctx).query(
    sql`update installation_details d
        set device_token = null, device_token_hash = null, token_status = 'ERR', token_changed_at = ${ctx.now()}, updated_at = now()
        from unnest(${tokens.map(({ installationNo }) => installationNo)}::bigint[], ${tokens.map(({ token }) => hashDeviceToken(token))}::bytea[])
          as t(installation_no, hash)
        where d.app_id = ${ctx.app.id} and d.installation_no = t.installation_no and d.device_token_hash = t.hash`,
    'detach-tokens',
  )
}
