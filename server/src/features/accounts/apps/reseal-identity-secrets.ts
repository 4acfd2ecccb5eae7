import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { type Resealed, reseal } from '#base/secrets/reseal.ts'

/** Seals every app's identity secret anew with the first key, so that older keys can be taken away. */
export function resealIdentitySecrets(ctx: Pick<Context, 'store' | 'tx' | 'external'>): Promise<Resealed> {
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.query<{ app_id: number; label: string; sealed: string }>(sql`
      select app_id, label, settings->>'identitySecret' as sealed from apps
      where settings ? 'identitySecret' order by app_id for update`)
    const unreadable: string[] = []
    for (const { app_id, label, sealed } of rows) {
      const anew = reseal(ctx.external.secretBox, Buffer.from(sealed, 'base64'))?.toString('base64')
      if (!anew) {
        unreadable.push(`the identity secret of the app ${label}`)
        continue
      }
      await tx.query(sql`
        update apps set settings = settings || jsonb_build_object('identitySecret', ${anew}::text)
        where app_id = ${app_id}`)
    }
    return { count: rows.length - unreadable.length, unreadable }
  })
}
