import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { reseal } from '#base/secrets/reseal.ts'

/** Seals Apple's tokens anew. One that cannot be opened stays: another is made in its place when it is needed. */
export async function resealApnsTokens(ctx: Pick<Context, 'store' | 'tx' | 'external'>): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.query<{ team_id: string; key_id: string; key_hash: Buffer; sealed: Buffer }>(sql`
      select team_id, key_id, key_hash, sealed from apns_tokens order by team_id, key_id, key_hash for update`)
    for (const { team_id, key_id, key_hash, sealed } of rows) {
      const anew = reseal(ctx.external.secretBox, sealed)
      if (!anew) continue
      await tx.query(sql`
        update apns_tokens set sealed = ${anew}
        where team_id = ${team_id} and key_id = ${key_id} and key_hash = ${key_hash}`)
    }
  })
}
