import type { MessageLine } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readReleaseRates } from '../../deliveries/pace/pace-store.ts'
import { readStalls } from '../../deliveries/progress/read-troubles.ts'
import { type LineRow, messageLine } from './message-line.ts'
import { readGroups } from './read-groups.ts'

export async function linesOf(ctx: Context, rows: readonly LineRow[]): Promise<MessageLine[]> {
  if (rows.length === 0) return []
  const groups = await readGroups(ctx, rows)
  const stalls = await readStalls(
    ctx,
    rows.map(({ id }) => id),
  )
  const rates = await readReleaseRates(db(ctx), {
    appId: ctx.app.id,
    messageIds: rows.filter(({ throttle, finished_at: at }) => throttle && !at).map(({ id }) => id),
  })
  const now = ctx.now()
  return rows.flatMap((row) => {
    const found = groups.get(row.id)
    return found
      ? [messageLine(row, found, now, { stalls: stalls.get(row.id), releasedPerSecond: rates.get(row.id) })]
      : []
  })
}
