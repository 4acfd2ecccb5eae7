import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export type HeldUninstalls = contract.AnswerOf<typeof contract.heldUninstalls>[number]

/** Installations that a provider called gone in such numbers that somebody has to look first. */
export async function listHeldUninstalls(ctx: Context): Promise<HeldUninstalls[]> {
  const rows = await db(ctx).query<{ provider: string; count: number; since: Date }>(sql`
    select provider, count(*) as count, min(held_at) as since
    from held_uninstalls where app_id = ${ctx.app.id} group by provider order by provider`)
  return rows.map(({ provider, count, since }) => ({ provider, count, since: since.getTime() }))
}
