import { type QueryOf, type StreamType, type stream, streamTypes } from '@peyk/contract'
import { limits } from '../../../base/config.ts'
import type { Context } from '../../../base/context.ts'
import type { Durations } from '../../../base/durations.ts'
import { RequestError } from '../../../base/errors.ts'
import { LineStream } from '../../../base/line-stream.ts'
import { readMoment } from '../../../base/read-moment.ts'
import type { Store } from '../../../base/store/store.ts'
import { checkKept } from './check-kept.ts'
import { lastUs, type Place, readCursor } from './place.ts'
import { readStream } from './read-stream.ts'

type Query = QueryOf<typeof stream>

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

async function readPlace(ctx: Context, { cursor, from }: Query, types: readonly StreamType[]): Promise<Place> {
  if (cursor === undefined) return { us: microseconds(readMoment('from', from) ?? ctx.now()) }
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

const lockClass = 7394018

/** Counted across all processes; a lock is gone with the process that had it. */
async function takeTurn(store: Store, appId: number): Promise<() => Promise<void>> {
  for (let turn = 1; turn <= limits.streamsPerApp; turn++) {
    const giveBack = await store.takeLock(lockClass, `${appId}/${turn}`)
    if (giveBack) return giveBack
  }
  throw new RequestError('too-many-requests', `The app has ${limits.streamsPerApp} streams open. Close one of them.`, {
    retryAfterSeconds: 30,
  })
}
