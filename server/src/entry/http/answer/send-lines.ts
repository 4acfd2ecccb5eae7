import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { LineStream } from '#base/answers/line-stream.ts'
import { runForApp } from '#base/store/pool/connection-scope.ts'
import type { Store } from '#base/store/store.ts'
import { inTime } from './in-time.ts'

interface Reader {
  store: Store
  appId: number
  /** How long a reader may take for each part. */
  transferMs: number
}

const open = new WeakMap<Store, Set<LineStream>>()

/**
 * Sends lines as they come, and asks for further ones when the reader has taken them. What fails before the first of them
 * is an ordinary error; later the answer breaks off, as it does when the reader is too slow.
 */
export async function sendLines(
  reply: FastifyReply,
  lines: LineStream,
  { store, appId, transferMs }: Reader,
): Promise<FastifyReply> {
  const streams = open.get(store) ?? new Set()
  open.set(store, streams.add(lines))
  const close = () => {
    streams.delete(lines)
    void lines.close()
  }
  // Read while the reader takes it, when nobody knows any more whose request it was.
  const next = () => runForApp(appId, () => lines.next())
  reply.raw.once('close', close)
  if (reply.raw.closed) close()
  try {
    const parts = write(await next(), next)
    reply.headers({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // A proxy would hold it back until there is more of it.
      'x-accel-buffering': 'no',
    })
    const giveUp = () => void reply.raw.destroy()
    return reply.send(Readable.from(inTime(parts, transferMs, giveUp), { objectMode: false, highWaterMark: 1 }))
  } catch (error) {
    close()
    throw error
  }
}

async function* write(first: IteratorResult<string>, next: () => Promise<IteratorResult<string>>) {
  for (let part = first; !part.done; part = await next()) yield Buffer.from(part.value)
}

/** Ends all of them: readers go on by the last cursor, with whoever answers then. */
export function closeLineStreams(store: Store): void {
  for (const lines of open.get(store) ?? []) lines.end()
}
