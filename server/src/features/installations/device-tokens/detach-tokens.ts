import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { hashDeviceToken } from './device-token.ts'
import { recordPastTokens } from './past-tokens-store.ts'

/** Takes tokens away that belong to another project. The installations stay: the app is there, only not reachable so. */
export async function detachTokens(
  ctx: Context,
  { tokens }: { tokens: readonly { installationNo: number; token: string }[] },
): Promise<void> {
  const detached = await db(ctx).query<{ installation_no: number; given_at: Date | null }>(
    sql`update installation_details d
        set device_token = null, device_token_hash = null, token_status = 'ERR', token_changed_at = ${ctx.now()}, updated_at = peyk_now()
        from (select o.app_id, o.installation_no, o.device_token_hash, o.token_changed_at
              from ${unnestRows(tokens, 't', {
                installation_no: ['bigint', ({ installationNo }) => installationNo],
                hash: ['bytea', ({ token }) => hashDeviceToken(token)],
              })}
              join installation_details o on o.app_id = ${ctx.app.id} and o.installation_no = t.installation_no
                and o.device_token_hash = t.hash) old
        where d.app_id = old.app_id and d.installation_no = old.installation_no and d.device_token_hash = old.device_token_hash
        returning d.installation_no, old.token_changed_at as given_at`,
    'detach-tokens',
  )
  await recordPastTokens(
    db(ctx),
    detached.map(({ installation_no, given_at }) => ({
      appId: ctx.app.id,
      installationNo: installation_no,
      givenAt: given_at ?? undefined,
      endedAt: ctx.now(),
      reason: 'foreign',
    })),
  )
}
