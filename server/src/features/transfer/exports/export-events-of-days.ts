import type { panelEventsFile, QueryOf } from '@peyk/contract'
import type { FileFormat, RowFile } from '#base/answers/row-file.ts'
import type { Context } from '#base/context.ts'
import { periodOf } from '../../statistics/days/list-days.ts'
import { exportEvents } from './export-events.ts'

const defaultDays = 30

/** Those that came in the last days. */
export function exportEventsOfDays(
  ctx: Context,
  input: QueryOf<typeof panelEventsFile> & { format?: FileFormat },
): Promise<RowFile> {
  const { from } = periodOf(ctx.now(), input.days ?? defaultDays)
  return exportEvents(ctx, { from, ...(input.format && { format: input.format }) })
}
