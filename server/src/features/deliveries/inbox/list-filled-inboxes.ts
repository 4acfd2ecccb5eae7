import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** The numbers of those installations for which something waits. */
export async function listFilledInboxes(
  ctx: Pick<Context, 'store'>,
  input: { installations: readonly { appId: number; installationNo: number }[] },
): Promise<number[]> {
  const { installations } = input
  if (installations.length === 0) return []
  const rows = await ctx.store.query<{ installation_no: number }>(
    sql`select k.installation_no
        from ${unnestRows(installations, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        cross join lateral (
          select from deliveries d
          where d.app_id = k.app_id and d.installation_no = k.installation_no and d.in_inbox limit 1
        ) filled`,
    'list-filled-inboxes',
  )
  return rows.map((row) => row.installation_no)
}
