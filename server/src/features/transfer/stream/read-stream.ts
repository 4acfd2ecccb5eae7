import { setTimeout as delay } from 'node:timers/promises'
import type { StreamLine, StreamType } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { readHorizon } from '#base/store/read-horizon.ts'
import { makeArrivalIndexes } from './arrival-indexes.ts'
import type { ReadLines } from './found-line.ts'
import { mergeLines, type Page, type TypedLine } from './merge-lines.ts'
import { type Place, rangeAfter, writeCursor } from './place.ts'
import { readDeliveries } from './read-deliveries.ts'
import { readEvents } from './read-events.ts'
import { readMessagesBy } from './read-messages.ts'
import { readReceipts } from './read-receipts.ts'
import { readUninstalls } from './read-uninstalls.ts'

export interface Reading {
  place: Place
  types: readonly StreamType[]
  /** Microseconds, up to and without; undefined: as far as there is anything. */
  until: number | undefined
  follow: boolean
  lagMs: number
  heartbeatMs: number
  /** Ends it after what was read last. */
  signal: AbortSignal
  isStillAllowed(): Promise<boolean>
}

const readers: Record<StreamType, ReadLines> = {
  'message.accepted': readMessagesBy('accepted_at'),
  'message.finished': readMessagesBy('finished_at'),
  'message.cancelled': readMessagesBy('cancelled_at'),
  'message.recalled': readMessagesBy('recalled_at'),
  delivery: readDeliveries,
  receipt: readReceipts,
  event: readEvents,
  uninstall: readUninstalls,
}

const linesPerRead = 500
const lookEveryMs = 1_000
/** What reading may take of the time: a large service is looked at less often. */
const shareOfTime = 0.2
const indexesEveryMs = 3_600_000
const SECOND = 1_000_000

/** Lines of JSON, some at a time. All before the horizon is there for good, so a place in the order of time is a safe cursor. */
export async function* readStream(ctx: Context, reading: Reading): AsyncGenerator<string> {
  const { until = Number.POSITIVE_INFINITY, follow, signal } = reading
  let { place } = reading
  let indexes = prepare(ctx)
  let saidAtMs = performance.now()
  let allowedAtMs = saidAtMs
  const isSilent = () => performance.now() - saidAtMs >= reading.heartbeatMs
  const say = (text: string) => {
    saidAtMs = performance.now()
    return text
  }
  while (!(await indexes.isReady(reading.heartbeatMs, signal))) yield say(writeEnd('heartbeat', place))
  const width = new SliceWidth()
  while (!signal.aborted) {
    const begunAtMs = performance.now()
    const end = Math.min(until, await readHorizon(ctx.store, reading.lagMs))
    while (place.us < end && !signal.aborted) {
      const sliceEnd = Math.min(end, place.us + width.us)
      const { lines, isAll } = mergeLines(await readPages(ctx, reading.types, place, sliceEnd))
      const next = isAll ? { us: sliceEnd } : placeOf(lines.at(-1) as TypedLine)
      width.learn(next.us - place.us, lines.length, isAll)
      place = next
      if (lines.length > 0) yield say(lines.map(writeLine).join(''))
      else if (isSilent()) yield say(writeEnd('heartbeat', place))
    }
    if (!follow || place.us >= until) break
    if (performance.now() - allowedAtMs >= reading.heartbeatMs) {
      if (!(await reading.isStillAllowed())) break
      allowedAtMs = performance.now()
    }
    if (isSilent()) yield say(writeEnd('heartbeat', place))
    if (performance.now() - indexes.begunAtMs > indexesEveryMs) indexes = prepare(ctx)
    const tookMs = performance.now() - begunAtMs
    await delay(Math.max(lookEveryMs, tookMs / shareOfTime), undefined, { signal }).catch(() => undefined)
  }
  yield writeEnd('end', place)
}

/** Asked one after the other: a stream takes one connection of the app's. */
async function readPages(ctx: Context, types: readonly StreamType[], place: Place, until: number): Promise<Page[]> {
  const pages: Page[] = []
  for (const type of types) {
    const range = rangeAfter(place, type, until)
    const lines = range.from < until ? await readers[type](ctx, range, linesPerRead) : []
    pages.push({ type, lines, hasMore: lines.length === linesPerRead })
  }
  return pages
}

function placeOf({ us, type, key }: TypedLine): Place {
  return { us, last: { type, key } }
}

function writeLine(line: TypedLine): string {
  const { type, us, fields } = line
  return write({ type, time: Math.floor(us / 1000), cursor: writeCursor(placeOf(line)), ...fields } as StreamLine)
}

function writeEnd(type: 'heartbeat' | 'end', place: Place): string {
  return write({ type, time: Math.floor(place.us / 1000), cursor: writeCursor(place) })
}

function write(line: StreamLine): string {
  return `${JSON.stringify(line)}\n`
}

/** How much time is asked for at once: as much as has about as many lines as are read at a time. */
class SliceWidth {
  us = 60 * SECOND

  learn(covered: number, lines: number, isAll: boolean): void {
    if (isAll && lines < linesPerRead) this.us *= 2
    else if (!isAll) this.us = Math.max(SECOND, Math.min(this.us, covered * 2))
  }
}

function prepare(ctx: Context) {
  let isDone = false
  const making = makeArrivalIndexes(ctx)
    .catch((error) => ctx.log.warn({ err: error }, 'the indexes of the stream could not be made; reading it is slow'))
    .finally(() => {
      isDone = true
    })
  return {
    begunAtMs: performance.now(),
    isReady: async (waitMs: number, signal: AbortSignal) => {
      const waited = new AbortController()
      const timer = delay(waitMs, undefined, { signal: AbortSignal.any([signal, waited.signal]) }).catch(
        () => undefined,
      )
      await Promise.race([making, timer])
      waited.abort()
      return isDone || signal.aborted
    },
  }
}
