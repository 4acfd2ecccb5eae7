import type { MessageLine } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
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
  const now = ctx.now()
  return rows.flatMap((row) => {
    const found = groups.get(row.id)
    return found ? [messageLine(row, found, now, stalls.get(row.id))] : []
  })
}
