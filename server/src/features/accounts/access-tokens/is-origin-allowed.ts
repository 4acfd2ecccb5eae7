import sql from 'sql-template-tag'
import type { AccountsContext } from '../accounts-context.ts'

/**
 * Whether a page of this origin may use any client key at all, of the app with this label when one is given. Asked
 * where the key itself is told only later.
 */
export async function isOriginAllowed(
  ctx: Pick<AccountsContext, 'store'>,
  input: { origin: string; label: string | undefined },
): Promise<boolean> {
  const [row] = await ctx.store.query<{ is_allowed: boolean }>(
    sql`select exists (
          select from access_tokens t join apps a using (app_id)
          where t.revoked_at is null and (t.expires_at is null or t.expires_at > peyk_now())
            and (t.origins is null or ${input.origin} = any (t.origins)) and 'client' = any (t.scopes)
            and (${input.label ?? null}::text is null or a.label = ${input.label ?? null})) as is_allowed`,
    'is-origin-allowed',
  )
  return row?.is_allowed ?? false
}
