import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { isUuid, nextId } from '#base/ids.ts'
import type { EventData, EventDraft, Influence } from '../event.ts'
import { influenceMs } from '../influence/influence-time.ts'
import { kindOfValue } from '../kinds/event-values.ts'
import { giveData } from './draft-event.ts'
import { findSizeFault } from './event-size.ts'
import { readClientTime } from './read-client-time.ts'

type Fields = Record<string, unknown>

export interface ReadClientEvent {
  draft: EventDraft
  /** Values that were left out because an event may not hold them. */
  warnings: string[]
}

/**
 * Reads an event as client libraries send it: `{id, eventName, createdAt, data, __meta?, influence?}`. Devices cannot
 * correct what they sent, so all that can be saved is; undefined when there is no event in it.
 */
export function readClientEvent(
  ctx: Context,
  sent: unknown,
  batch: { installationId: string; at: number | undefined },
): ReadClientEvent | undefined {
  if (!isObject(sent)) return undefined
  const { eventName: name } = sent
  const clientEventId = readId(sent.id)
  if (!isName(name) || clientEventId === undefined) return undefined
  const now = Number(ctx.now())
  const { data, warnings } = withinLimits(readData(sent, name), name)
  const revenue = readRevenue(data)
  const eventAt = readClientTime(sent.createdAt, now) ?? batch.at ?? now
  const draft: EventDraft = {
    appId: ctx.app.id,
    userId: undefined,
    installationId: batch.installationId,
    id: nextId(ctx.now, now),
    begunAt: Number(ctx.begunAt ?? now),
    eventAt,
    name,
    key: name.toLowerCase(),
    data: null,
    value: revenue?.amount ?? null,
    revenue: revenue?.amount ?? null,
    currency: revenue?.currency ?? null,
    influence: readInfluence(sent.influence, eventAt, now),
    clientEventId,
    timeWarning: undefined,
    kindWarnings: undefined,
    isUnsettled: false,
  }
  if (Object.keys(data).length > 0) giveData(ctx, draft, data)
  return { draft, warnings }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= limits.nameBytes
}

/** null for an event that has none; undefined for one that cannot be an id. */
function readId(id: unknown): string | null | undefined {
  if (id === undefined || id === null || id === '') return null
  const text = typeof id === 'number' ? String(id) : id
  return isName(text) ? text : undefined
}

function readData(sent: Fields, eventName: string): { data: EventData; warnings: string[] } {
  const kept: [string, unknown][] = []
  const warnings: string[] = []
  for (const [name, value] of Object.entries(isObject(sent.data) ? sent.data : {})) {
    if (value === null) continue
    const read = isDateIn(sent.__meta, name) ? readDateValue(value) : value
    if (kindOfValue(read) !== undefined && Buffer.byteLength(name) <= limits.nameBytes) kept.push([name, read])
    else
      warnings.push(`"${name.slice(0, 80)}" of the event "${eventName}" was left out: events cannot hold such a value.`)
  }
  return { data: Object.fromEntries(kept), warnings }
}

/** The event itself is worth more than what it says. */
function withinLimits(read: ReturnType<typeof readData>, eventName: string): ReturnType<typeof readData> {
  const fault = findSizeFault(read.data)
  if (fault === undefined) return read
  return { data: {}, warnings: [...read.warnings, `The data of the event "${eventName}" was left out: it ${fault}.`] }
}

/** Dates travel as epoch milliseconds, and `__meta` says so. */
function isDateIn(meta: unknown, name: string): boolean {
  const keys = isObject(meta) ? meta.keys : undefined
  const entry = isObject(keys) && Object.hasOwn(keys, name) ? keys[name] : undefined
  return isObject(entry) && entry.type === 'date'
}

const latest = Date.UTC(9999, 11, 31)

function readDateValue(value: unknown): unknown {
  const time = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof time === 'number' && Math.abs(time) <= latest ? new Date(time).toISOString() : value
}

/** `isRevenue` makes `value` the revenue. What goes to the event's own columns is taken out of its data. */
function readRevenue(data: EventData): { amount: number; currency: string | null } | undefined {
  if (data.isRevenue !== true && data.isRevenue !== 'true' && data.isRevenue !== 1) return undefined
  const { value, currency } = data
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return undefined
  delete data.isRevenue
  delete data.value
  if (typeof currency === 'string') delete data.currency
  return { amount, currency: typeof currency === 'string' && currency !== '' ? currency : null }
}

/** The receipt that the event came after; one that is known to be older than 12 hours influences nothing. */
function readInfluence(sent: unknown, eventAt: number, now: number): Influence | null {
  if (!isObject(sent)) return null
  const messageId = [sent.msgId, sent.messageId, sent.id].find(isUuid)
  if (messageId === undefined) return null
  const receiptAt = readClientTime(sent.actionTs, now)
  if (receiptAt !== undefined && eventAt - receiptAt > influenceMs) return null
  const isDirect = sent.direct === true || sent.direct === 'true' || sent.direct === 1
  return { messageId, isDirect }
}
