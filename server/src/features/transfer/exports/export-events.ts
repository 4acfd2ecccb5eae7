import type { exportEvents as endpoint, QueryOf, StreamLine } from '@peyk/contract'
import { type Cell, RowFile } from '#base/answers/row-file.ts'
import type { Context } from '#base/context.ts'
import type { FoundLine } from '../stream/found-line.ts'
import { readEvents } from '../stream/read-events.ts'
import { inTurn } from './in-turn.ts'
import { readBounds, readPeriod } from './read-period.ts'

type EventFields = Omit<Extract<StreamLine, { type: 'event' }>, 'type' | 'time' | 'cursor'>

/** Events by when they came. */
export async function exportEvents(ctx: Context, input: QueryOf<typeof endpoint>): Promise<RowFile> {
  return new RowFile({
    baseName: `events-${ctx.app.label}`,
    format: input.format ?? 'csv',
    columns: {
      time: 'time',
      id: 'text',
      eventName: 'text',
      eventTime: 'time',
      userId: 'text',
      installationId: 'text',
      revenue: 'number',
      currency: 'text',
      eventData: 'json',
      influencedBy: 'text',
    },
    rows: inTurn(ctx, readRows(ctx, readBounds(input))),
  })
}

async function* readRows(ctx: Context, bounds: { from: number; to: number }): AsyncGenerator<readonly Cell[]> {
  for await (const line of readPeriod(ctx, readEvents, bounds)) yield rowOf(line)
}

function rowOf({ us, fields }: FoundLine): readonly Cell[] {
  const event = fields as EventFields
  return [
    new Date(us / 1000).toISOString(),
    event.id,
    event.eventName,
    new Date(event.eventTime).toISOString(),
    event.userId,
    event.installationId ?? null,
    event.revenue ?? null,
    event.currency ?? null,
    event.eventData ?? null,
    event.influence?.messageId ?? null,
  ]
}
