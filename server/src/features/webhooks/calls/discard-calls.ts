import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

/** What happened up to then, and was not told yet, no webhook is told any more. Returns how many calls and happenings that were. */
export async function discardCalls(ctx: Pick<Context, 'store'>, { upTo }: { upTo: Date }): Promise<number> {
  return ctx.store.transaction(async (tx) => {
    const left = await tx.query(sql`delete from outbox where happened_at <= ${upTo} returning 1`)
    const calls = await tx.query(
      sql`delete from webhook_calls where state = 'waiting' and created_at <= ${upTo} returning 1`,
    )
    return left.length + calls.length
  })
}
