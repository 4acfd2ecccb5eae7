import type { ServerResponse } from 'node:http'
import {
  type BodyOf,
  type Crowd,
  type FaultPreset,
  type FaultPresets,
  faultPresets,
  type Phone,
  type panelPhonesStream,
  type panelUsePhone,
  simulatedProviders,
} from '@peyk/contract'
import type { OutwardContext } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { refuseInTransaction } from '#base/outbound/refuse-in-transaction.ts'
import { openEventStream } from '../answer/event-stream.ts'
import type { MemberContext, OutwardMemberContext, StreamInput } from './panel-route.ts'

const patienceMs = 10_000

/** What a provider does in each mood, as rules of the simulator. A device that is gone is said to be so from now on. */
const rulesOf: Record<FaultPreset, readonly object[]> = {
  well: [],
  slow: [{ delayMs: 2000 }],
  busy: [{ status: 429, retryAfter: 5 }],
  down: [{ status: 503 }],
  gone: [{ status: 410 }],
  // biome-ignore lint/suspicious/noThenProperty: the simulator's name for it
  cut: [{ then: 'reset' }],
}
const goneReasons: Record<string, object> = { fcm: { status: 404, reason: 'UNREGISTERED' } }

/** Calls the simulator, whose phones belong to one app of a development service; elsewhere there are none. */
async function askSimulator<T>(ctx: OutwardContext, method: string, path: string, body?: object) {
  refuseInTransaction()
  const response = await fetch(simulatorUrl(ctx) + path, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new RequestError('not-found', `The simulator does not answer (${error.cause?.code ?? error.message}).`)
  })
  const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string } | string }
  if (response.ok) return answer as T
  const message = typeof answer.error === 'string' ? answer.error : answer.error?.message
  throw new RequestError(response.status === 404 ? 'not-found' : 'invalid-request', message ?? 'The simulator refused.')
}

function simulatorUrl({ app, external }: Pick<OutwardContext, 'app' | 'external'>): string {
  if (external.phones?.appLabel === app.label) return external.phones.simulatorUrl
  throw new RequestError(
    'not-found',
    'There are no virtual phones here: only the demo app of a development service has them.',
  )
}

export function addPhone(ctx: OutwardMemberContext, phone: object): Promise<Phone> {
  return askSimulator(ctx, 'POST', '/phones', phone)
}

export async function removePhone(ctx: OutwardMemberContext, { id }: { id: string }): Promise<object> {
  return askSimulator(ctx, 'DELETE', `/phones/${encodeURIComponent(id)}`)
}

export function usePhone(
  ctx: OutwardMemberContext,
  input: BodyOf<typeof panelUsePhone> & { id: string },
): Promise<Phone> {
  const { id, act, ...details } = input
  return askSimulator(ctx, 'POST', `/phones/${encodeURIComponent(id)}/${act}`, details)
}

export async function readCrowd(ctx: OutwardMemberContext): Promise<Crowd> {
  return showCrowd(await askSimulator(ctx, 'GET', '/crowd'))
}

export async function setCrowd(ctx: OutwardMemberContext, { pace }: { pace: number }): Promise<Crowd> {
  return showCrowd(await askSimulator(ctx, 'POST', '/crowd', { pace }))
}

function showCrowd({ size, members, connected, pace }: Crowd): Crowd {
  return { size, members, connected, pace }
}

export async function readFaultPresets(ctx: OutwardMemberContext): Promise<FaultPresets> {
  const faults = await askSimulator<Record<string, object[] | undefined>>(ctx, 'GET', '/faults')
  const moodOf = (provider: string) => {
    const rules = JSON.stringify(faults[provider] ?? [])
    return faultPresets.find((mood) => JSON.stringify(rulesFor(provider, mood)) === rules) ?? 'other'
  }
  return Object.fromEntries(simulatedProviders.map((provider) => [provider, moodOf(provider)]))
}

export async function setFaultPreset(
  ctx: OutwardMemberContext,
  { provider, mood }: { provider: string; mood: FaultPreset },
): Promise<FaultPresets> {
  await askSimulator(ctx, 'PUT', `/faults/${provider}`, { rules: rulesFor(provider, mood) })
  return readFaultPresets(ctx)
}

function rulesFor(provider: string, mood: FaultPreset): readonly object[] {
  const own = mood === 'gone' ? goneReasons[provider] : undefined
  return own ? [own] : rulesOf[mood]
}

/** Passes the simulator's stream on. */
export async function watchPhones(ctx: MemberContext, input: StreamInput<typeof panelPhonesStream>): Promise<void> {
  const ending = new AbortController()
  const source = await fetch(`${simulatorUrl(ctx)}/phones/stream`, { signal: ending.signal }).catch(() => undefined)
  if (!source?.body) throw new RequestError('not-found', 'The simulator does not answer.')
  const raw = openForReader(ctx, input, ending)
  pass(source.body, raw).catch(() => raw.end())
}

function openForReader(ctx: MemberContext, input: StreamInput<typeof panelPhonesStream>, ending: AbortController) {
  try {
    return openEventStream(ctx, input, () => ending.abort())
  } catch (error) {
    ending.abort()
    throw error
  }
}

/** Ends with an error when either end leaves: the browser comes back by itself. */
async function pass(source: AsyncIterable<Uint8Array>, raw: ServerResponse): Promise<void> {
  for await (const chunk of source) raw.write(chunk)
  raw.end()
}
