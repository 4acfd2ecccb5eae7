import type { ServerResponse } from 'node:http'
import { type LiveTopic, liveTopics, type panelLive } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { Store } from '#base/store/store.ts'
import { isStuck, openEventStream } from '../answer/event-stream.ts'
import { type LiveListener, LiveSampler } from './live-sampler.ts'
import type { MemberContext, StreamInput } from './panel-route.ts'

const samplers = new WeakMap<Store, Map<number, LiveSampler>>()

/** Who looks at the apps of a store, as long as somebody wants to know. */
function samplersOf(store: Store): Map<number, LiveSampler> {
  const all = samplers.get(store) ?? new Map<number, LiveSampler>()
  samplers.set(store, all)
  return all
}

/** Keeps the reply open and tells the panel what changes. */
export async function openLive(ctx: MemberContext, input: StreamInput<typeof panelLive>): Promise<void> {
  const wanted = readWanted(input.query)
  const { member: _member, ...appContext } = ctx
  const all = samplersOf(ctx.store)
  const raw = openEventStream(ctx, input, () => {
    sampler.remove(listener)
    if (sampler.isIdle) all.delete(ctx.app.id)
  })
  const sampler = all.get(ctx.app.id) ?? new LiveSampler(appContext)
  all.set(ctx.app.id, sampler)
  const listener = createListener(raw, wanted)
  sampler.add(listener)
}

function createListener(raw: ServerResponse, wanted: Pick<LiveListener, 'topics' | 'messageId'>): LiveListener {
  return {
    ...wanted,
    knows: 0,
    isBusy: () => isStuck(raw),
    send: (changes) => {
      raw.write(changes.map(({ topic, json }) => `event: ${topic}\ndata: ${json}\n\n`).join(''))
    },
  }
}

function readWanted({ topics, message }: { topics: string; message?: string }) {
  const named = topics.split(',').filter(Boolean)
  const unknown = named.find((name) => !(liveTopics as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new RequestError(
      'invalid-request',
      `"topics": expected some of ${liveTopics.join(', ')}, got "${unknown.slice(0, 80)}".`,
      { details: { field: 'topics' } },
    )
  }
  if (message !== undefined && !isUuid(message)) {
    throw new RequestError('invalid-request', '"message": expected the id of a message.', {
      details: { field: 'message' },
    })
  }
  return { topics: new Set(named as LiveTopic[]), messageId: message?.toLowerCase() }
}
