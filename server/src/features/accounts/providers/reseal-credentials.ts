import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { type Resealed, reseal } from '#base/secrets/reseal.ts'
import { settleAlert } from '../alerts/settle-alert.ts'
import type { CredentialProvider } from './stored-provider.ts'

/** Seals every app's credentials anew with the first key, so that older keys can be taken away. */
export function resealCredentials(ctx: Pick<Context, 'store' | 'tx' | 'now' | 'external'>): Promise<Resealed> {
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.query<{ app_id: number; label: string; provider: CredentialProvider; sealed: Buffer }>(sql`
      select c.app_id, a.label, c.provider, c.sealed from provider_credentials c join apps a using (app_id)
      order by c.app_id, c.provider for update of c`)
    const unreadable: string[] = []
    for (const { app_id, label, provider, sealed } of rows) {
      const anew = reseal(ctx.external.secretBox, sealed)
      if (!anew) {
        unreadable.push(`the ${provider} credentials of the app ${label}`)
        continue
      }
      await tx.query(sql`
        update provider_credentials
        set sealed = ${anew}, checked_version = case when checked_version = md5(sealed) then md5(${anew}::bytea) end
        where app_id = ${app_id} and provider = ${provider}`)
      const app = { id: app_id, label }
      await settleAlert({ ...ctx, tx, app }, { kinds: ['credentials-unreadable'], subject: provider })
    }
    return { count: rows.length - unreadable.length, unreadable }
  })
}
