import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { plainArray } from '../../../base/store/plain-array.ts'

/** The numbers of those installations for which something waits. */
export async function listFilledInboxes(
  ctx: Pick<Context, 'store'>,
  input: { installations: readonly { appId: number; installationNo: number }[] },
): Promise<number[]> {
  const { installations } = input
  if (installations.length === 0) return []
  const rows = await ctx.store.query<{ installation_no: number }>(
    sql`select k.installation_no
        from unnest(${plainArray(installations.map(({ appId }) => appId))}::int[],
                    ${plainArray(installations.map(({ installationNo }) => installationNo))}::bigint[]) as k(app_id, installation_no)
        where exists (select from deliveries d
                      where d.app_id = k.app_id and d.installation_no = k.installation_no and d.in_inbox)`,
    'list-filled-inboxes',
  )
  return rows.map((row) => row.installation_no)
}
