import type { panelUninstallsFile, QueryOf } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { findUninstalls, type UninstallRow } from '../days/find-uninstalls.ts'
import { periodOf } from '../days/list-days.ts'

const defaultDays = 30
const rowsPerRead = 5_000

/** Who has gone, newest first, as rows of a file. */
export async function exportUninstalls(ctx: Context, input: QueryOf<typeof panelUninstallsFile>) {
  const { days, from, to } = periodOf(ctx.now(), input.days ?? defaultDays)
  return {
    fileName: `uninstalls-${ctx.app.label}-${days.length}-days-to-${to}.csv`,
    header: ['time', 'platform', 'userId', 'installationId', 'lastOfUser'],
    rows: readRows(ctx, input, new Date(from)),
  }
}

async function* readRows(
  ctx: Context,
  { type, platform }: QueryOf<typeof panelUninstallsFile>,
  from: Date,
): AsyncGenerator<readonly string[]> {
  let before: { at: Date; no: number } | undefined
  for (;;) {
    const rows: UninstallRow[] = await findUninstalls(ctx, { from, type, platform, before, limit: rowsPerRead })
    for (const { uninstalled_at, device_type, user_id, installation_id, is_churn } of rows) {
      yield [uninstalled_at.toISOString(), device_type, user_id, installation_id, is_churn ? 'yes' : 'no']
    }
    const last = rows.at(-1)
    if (rows.length < rowsPerRead || !last) return
    before = { at: last.uninstalled_at, no: last.no }
  }
}
