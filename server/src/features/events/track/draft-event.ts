import { show } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import { checkInstallationId } from '../../installations/installation-id.ts'
import type { EventData, EventDraft } from '../event.ts'
import { kindOfValue } from '../kinds/event-values.ts'
import { judgeKinds } from '../kinds/judge-kinds.ts'
import { knownKinds } from '../kinds/known-kinds.ts'
import { findSizeFault } from './event-size.ts'
import { eventTimeFault, readEventTime, secondsWarning } from './event-time.ts'

export interface EventFields {
  userId?: string | undefined
  installationId?: string | undefined
  eventName: string
  eventTime?: number | string | undefined
  eventData?: EventData | unknown[] | undefined
  revenue?: number | undefined
  currency?: string | undefined
}

/** [interface.md#47-track-revenue] */
export const revenueEventName = 'Purchase'

/** Reads what a back end sends, and refuses what may not be stored. It asks nobody. */
export function draftEvent(ctx: Context, fields: EventFields): EventDraft {
  const { userId, installationId, eventName, revenue, currency } = fields
  if (userId === undefined && installationId === undefined) {
    throw new RequestError('invalid-request', '"userId" or "installationId" is required.', {
      details: { field: 'userId' },
    })
  }
  if (revenue !== undefined && !Number.isFinite(revenue)) {
    throw new RequestError('invalid-request', `"revenue": expected a number, got ${show(String(revenue))}.`, {
      details: { field: 'revenue' },
    })
  }
  const now = Number(ctx.now())
  const draft: EventDraft = {
    appId: ctx.app.id,
    userId,
    installationId: installationId === undefined ? undefined : checkInstallationId(installationId),
    id: nextId(ctx.now, now),
    begunAt: Number(ctx.begunAt ?? now),
    eventAt: now,
    name: eventName,
    key: eventName.toLowerCase(),
    data: null,
    value: revenue ?? null,
    revenue: revenue ?? null,
    currency: currency || null,
    influence: null,
    clientEventId: null,
    timeWarning: undefined,
    kindWarnings: undefined,
    isUnsettled: false,
  }
  if (fields.eventTime !== undefined) giveTime(draft, fields.eventTime, now)
  if (fields.eventData && !Array.isArray(fields.eventData)) giveData(ctx, draft, fields.eventData)
  return draft
}

function giveTime(draft: EventDraft, sent: number | string, now: number): void {
  const time = readEventTime(sent, now)
  if (!time) throw eventTimeFault(sent)
  draft.eventAt = time.at
  if (time.isSeconds) draft.timeWarning = secondsWarning(sent)
}

/** What is not known of its values' kinds is left to the batch that stores it. */
export function giveData(ctx: Context, draft: EventDraft, sent: EventData): void {
  const known = knownKinds(ctx.store).ofEvent(draft.appId, draft.key)
  let hasNull = false
  let areKindsKnown = true
  let isUnsettled = false
  const fault = findSizeFault(sent)
  if (fault !== undefined)
    throw new RequestError('too-large', `"eventData" ${fault}.`, { details: { field: 'eventData' } })
  for (const name in sent) {
    const value = sent[name]
    if (value === null || value === undefined) {
      hasNull = true
      continue
    }
    const kind = kindOfValue(value)
    if (kind === undefined) throw valueFault(name, value)
    if (name.length * 3 > limits.nameBytes && Buffer.byteLength(name) > limits.nameBytes) throw nameFault(name)
    const first = known?.get(name)
    if (first === kind) continue
    areKindsKnown = false
    if (first === undefined) isUnsettled = true
  }
  draft.data = hasNull ? withoutNulls(sent) : sent
  draft.isUnsettled = isUnsettled
  if (areKindsKnown) draft.value = draft.revenue ?? (typeof sent.value === 'number' ? sent.value : null)
  else if (!isUnsettled && known) judgeKinds(draft, known)
}

function withoutNulls(data: EventData): EventData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))
}

function valueFault(name: string, value: unknown): RequestError {
  const field = `eventData.${name}`
  const message = `"${field.slice(0, 300)}": expected a text, number, boolean, date or array of texts, got ${show(value)}.`
  return new RequestError('invalid-request', message, { details: { field } })
}

function nameFault(name: string): RequestError {
  const message = `"eventData": expected names of at most ${limits.nameBytes} bytes, got ${show(name)}.`
  return new RequestError('invalid-request', message, { details: { field: 'eventData' } })
}
