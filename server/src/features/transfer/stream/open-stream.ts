import { type QueryOf, type StreamType, type stream, streamTypes } from '@peyk/contract'
import { LineStream } from '#base/answers/line-stream.ts'
import type { Context } from '#base/context.ts'
import type { Durations } from '#base/durations.ts'
import { RequestError } from '#base/errors.ts'
import { readMoment } from '#base/read-moment.ts'
import { takeTurn } from '../take-turn.ts'
import { checkKept } from './check-kept.ts'
import { lastUs, type Place, readCursor } from './place.ts'
import { readStream } from './read-stream.ts'

type Query = QueryOf<typeof stream>

/** So far the clock of a reader may be ahead. */
const mostAheadMs = 3_600_000

interface Reader {
  durations: Pick<Durations, 'heartbeatMs' | 'streamLagMs'>
  /** Whether its token still lets it in. */
  isStillAllowed(): Promise<boolean>
}

/** What happened since a moment or a cursor, and with `follow` what happens from then on. */
export async function openStream(ctx: Context, input: Query, reader: Reader): Promise<LineStream> {
  const types = readTypes(input.types)
  const until = microseconds(readMoment('to', input.to))
  const place = await readPlace(ctx, input, types)
  if (until !== undefined && until < place.us)
    throw new RequestError('invalid-request', '"to": expected a time after the one it begins with.', {
      details: { field: 'to' },
    })
  const giveBack = await takeTurn(ctx.store, ctx.app.id)
  const ending = new AbortController()
  const { heartbeatMs, streamLagMs: lagMs } = reader.durations
  const lines = readStream(ctx, {
    ...{ place, types, until, follow: input.follow === true, lagMs, heartbeatMs, signal: ending.signal },
    isStillAllowed: reader.isStillAllowed,
  })
  return new LineStream(lines, { end: () => ending.abort(), onClose: giveBack })
}

function readTypes(sent: string | undefined): readonly StreamType[] {
  if (sent === undefined) return streamTypes
  const named = sent.split(',').map((name) => name.trim())
  const unknown = named.find((name) => !(streamTypes as readonly string[]).includes(name))
  if (unknown === undefined) return streamTypes.filter((type) => named.includes(type))
  throw new RequestError(
    'invalid-request',
    `"types": expected some of ${streamTypes.join(', ')}, got "${unknown.slice(0, 80)}".`,
    { details: { field: 'types' } },
  )
}

/** A reader that stored the cursor of a later time, such as one in microseconds, would hear nothing until then. */
function readBegin({ now }: Context, from: Query['from']): Date {
  const begin = readMoment('from', from) ?? now()
  if (begin.getTime() <= now().getTime() + mostAheadMs) return begin
  throw new RequestError('invalid-request', '"from": expected a time that is not in the future.', {
    details: { field: 'from' },
  })
}

async function readPlace(ctx: Context, { cursor, from }: Query, types: readonly StreamType[]): Promise<Place> {
  if (cursor === undefined) return { us: microseconds(readBegin(ctx, from)) }
  if (from !== undefined)
    throw new RequestError('invalid-request', '"from": expected "cursor" or "from", not both.', {
      details: { field: 'from' },
    })
  const place = readCursor(cursor)
  await checkKept(ctx, place, types)
  return place
}

function microseconds(at: Date): number
function microseconds(at: Date | undefined): number | undefined
function microseconds(at: Date | undefined): number | undefined {
  return at && Math.min(at.getTime() * 1000, lastUs)
}
