import type { panelUninstalls, QueryOf, Uninstalls } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { invalidCursor } from '#base/page-cursor.ts'
import { findUninstalls } from '../days/find-uninstalls.ts'
import { periodOf } from '../days/list-days.ts'

const defaultDays = 30
const perPage = 25

/** Who has gone, newest first. */
export async function listUninstalls(ctx: Context, input: QueryOf<typeof panelUninstalls>): Promise<Uninstalls> {
  const { from } = periodOf(ctx.now(), input.days ?? defaultDays)
  const rows = await findUninstalls(ctx, {
    from: new Date(from),
    type: input.type,
    platform: input.platform,
    before: input.cursor === undefined ? undefined : readCursor(input.cursor),
    limit: perPage + 1,
  })
  const page = rows.slice(0, perPage)
  const last = page.at(-1)
  return {
    data: page.map((row) => ({
      time: row.uninstalled_at.getTime(),
      installationId: row.installation_id,
      deviceType: row.device_type,
      userId: row.user_id,
      isChurn: row.is_churn,
    })),
    ...(rows.length > perPage && last && { cursor: `${last.uninstalled_at.getTime()}-${last.no}` }),
  }
}

function readCursor(cursor: string): { at: Date; no: number } {
  const [, at, no] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? []
  if (at === undefined || no === undefined) {
    throw invalidCursor()
  }
  return { at: new Date(Number(at)), no: Number(no) }
}
