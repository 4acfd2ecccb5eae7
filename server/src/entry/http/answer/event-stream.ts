import type { ServerResponse } from 'node:http'
import { RequestError } from '#base/errors.ts'
import type { Store } from '#base/store/store.ts'
import type { MemberContext, PanelRoute, StreamInput } from '../panel/panel-route.ts'

const streamsPerMember = 12
const reconnectMs = 2_000

type Opening = Pick<StreamInput<PanelRoute['endpoint']>, 'reply' | 'request' | 'isStillAllowed' | 'heartbeatMs'>

interface OpenStream {
  memberId: string
  end(): void
}

const openStreams = new WeakMap<Store, Set<OpenStream>>()

function streamsOn(store: Store): Set<OpenStream> {
  const streams = openStreams.get(store) ?? new Set()
  openStreams.set(store, streams)
  return streams
}

/** Takes the reply over for server-sent events, until the reader goes, is signed out or does not read, or the service stops. */
export function openEventStream(
  { store, member }: MemberContext,
  { reply, request, isStillAllowed, heartbeatMs }: Opening,
  onClose: () => void,
): ServerResponse {
  const streams = streamsOn(store)
  if ([...streams].filter(({ memberId }) => memberId === member.id).length >= streamsPerMember) {
    throw new RequestError('too-many-requests', `The panel is open in more than ${streamsPerMember} places.`, {
      retryAfterSeconds: 30,
    })
  }
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'x-request-id': request.id,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    'x-content-type-options': 'nosniff',
    // A proxy would hold it back until there is more of it.
    'x-accel-buffering': 'no',
  })
  raw.write(`retry: ${reconnectMs}\n\n`)
  const stream = { memberId: member.id, end: () => void raw.end() }
  const heartbeat = setInterval(async () => {
    if (isStuck(raw)) return void raw.destroy()
    raw.write(':\n\n')
    if (!(await isStillAllowed())) raw.end()
  }, heartbeatMs)
  raw.on('error', () => undefined)
  const close = () => {
    clearInterval(heartbeat)
    streams.delete(stream)
    onClose()
  }
  streams.add(stream)
  // Who left while it was looked up who they are has closed it already: nothing will say so again.
  if (raw.closed) process.nextTick(close)
  else raw.once('close', close)
  return raw
}

/** The reader has not taken what it was sent. */
export function isStuck(raw: ServerResponse): boolean {
  return raw.writableNeedDrain || raw.writableEnded
}

/** Ends all streams: panels connect again by themselves, to whoever answers then. */
export function closeEventStreams(store: Store): void {
  for (const stream of streamsOn(store)) stream.end()
}
