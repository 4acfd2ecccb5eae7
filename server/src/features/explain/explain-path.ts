import { type DeliveryReason, type PathCode, pathCodes, type TimelineEntry, type TimelineFact } from '@peyk/contract'
import { faultInWords } from '#base/outbound/describe-fault.ts'
import { choosePath, type Path, providerInReason } from '../deliveries/choose-path.ts'
import { type Detail, describeDetail } from '../deliveries/details/detail.ts'
import type { WaitFact } from '../deliveries/hand-over/describe-hand-over.ts'
import { providerNames } from '../deliveries/provider.ts'
import type { MessageRow } from '../messages/stored/message-answer.ts'
import { isToBeExpanded } from './explain-match.ts'
import { type BatchFacts, type DeliveryFacts, entry, type InstallationFacts, type MessageFacts } from './facts.ts'

/** Which way the message took or will take, and why none of the others. */
export function explainPath(message: MessageFacts, installation: InstallationFacts): TimelineEntry | undefined {
  const { delivery } = installation
  const now = choose(message, installation)
  if (!delivery?.provider) return entry('path', describePath(now, installation))
  if (delivery.provider === 'connection') return entry('path', describeConnection(delivery, now))
  const isSame = now.kind === 'provider' && now.provider === delivery.provider
  if (isSame) return entry('path', describePath(now, installation))
  return entry('path', [
    { code: 'path', way: delivery.provider },
    { code: 'path-now', way: wayOf(now), ...becauseOf(now) },
  ])
}

/** What has arrived came over the connection, whatever was known when its way was chosen. */
function describeConnection(delivery: DeliveryFacts, now: Path): TimelineFact[] {
  const { state } = delivery
  const stored = describeDetail(delivery)
  if (state === 'queued')
    return [{ code: 'path', way: 'inbox', ...(stored === undefined ? becauseOf(now) : because(stored, delivery)) }]
  if (state === 'ended') return [{ code: 'path', way: 'inbox', ...becauseOf(now) }]
  return [
    { code: 'path', way: 'connection' },
    ...(stored === undefined ? [] : [{ code: 'path-chosen', ...because(stored, delivery) } as const]),
  ]
}

interface Because {
  detail: string
  why?: PathCode
  provider?: string
}

/** Why a way was chosen: the words, and what they say. */
function because(detail: string, { detailCode: code, detailProvider: provider }: Detail): Because {
  return { detail, ...(isPathCode(code) && { why: code }), ...(provider && { provider }) }
}

function becauseOf(path: Path): Because {
  const provider = providerInReason(path)
  return { detail: path.why, why: path.code, ...(provider && { provider }) }
}

function isPathCode(code: string | undefined): code is PathCode {
  return pathCodes.some((each) => each === code)
}

function wayOf(path: Path): string {
  if (path.kind === 'provider') return path.provider
  return path.kind === 'ended' ? 'none' : path.kind
}

function choose({ row, providers }: MessageFacts, installation: InstallationFacts): Path {
  const { product, body } = row
  const flags = { product, ...pick(body, ['silent', 'inApp', 'live', 'autoNotify']) }
  const { deviceType, token, tokenStatus, isConnected, isOpen } = installation
  const names = providerNames.filter((name) => providers.has(name))
  return choosePath(flags, { deviceType, token, tokenStatus, isConnected, isOpen }, new Set(names))
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]])) as Pick<T, K>
}

function describePath(path: Path, { isConnected }: InstallationFacts): TimelineFact[] {
  const chosen: TimelineFact = { code: 'path', way: wayOf(path), ...becauseOf(path) }
  if (path.kind !== 'provider') return [chosen]
  const providers = providerNames.filter((name) => name !== path.provider)
  return [chosen, { code: 'not-providers', providers }, ...(isConnected ? [] : [{ code: 'not-connected' } as const])]
}

/** Each try with its answer, the one that was accepted among them. */
export function explainAttempts({ delivery, attempts }: InstallationFacts): TimelineEntry[] {
  const told = attempts.map(({ at, provider, outcome, detail }) => {
    if (outcome === 'waits') return { at, told: entry('waiting', JSON.parse(detail ?? '') as WaitFact, at) }
    // What was written and not answered may have arrived: there the provider was reached.
    const fault = outcome === 'later' && detail ? faultInWords(detail) : undefined
    const fact: TimelineFact = {
      code: 'attempt',
      provider,
      outcome,
      ...(fault && { fault }),
      ...(detail && { detail }),
    }
    return { at, told: entry('attempt', fact, at) }
  })
  if (delivery?.sentAt) {
    const { sentAt: at, provider, state } = delivery
    const detail = describeDetail(delivery)
    const accepted: TimelineFact = {
      code: 'provider-accepted',
      ...(provider && { provider }),
      ...(state !== 'ended' && detail && { detail }),
    }
    told.push({ at, told: entry('sent', accepted, at) })
  }
  return told.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ told }) => told)
}

/** How it ended, or what it waits for. */
export function explainStanding(message: MessageFacts, installation: InstallationFacts): TimelineEntry[] {
  const { delivery, batch } = installation
  const { row } = message
  if (delivery?.state === 'ended' && delivery.reason) {
    return [entry('ended', describeEnd(delivery.reason, delivery), delivery.updatedAt)]
  }
  if (delivery?.state === 'queued') {
    return [entry('waiting', { code: 'in-inbox', at: (delivery.expiresAt ?? row.expires_at).getTime() })]
  }
  if (delivery) return []
  if (batch?.state === 'cancelled') return [entry('ended', { code: 'ended', reason: 'cancelled' }, row.cancelled_at)]
  if (!batch && !isToBeExpanded(message, installation)) return []
  return [...hindrances(message, installation), entry('waiting', describeWaiting(message, installation))]
}

function describeEnd(reason: DeliveryReason, delivery: Detail): TimelineFact {
  const { detailCode: code, detailProvider: provider } = delivery
  const detail = describeDetail(delivery)
  return {
    code: 'ended',
    reason,
    ...(detail && { detail }),
    ...(code && { because: code }),
    ...(provider && { provider }),
  }
}

function describeWaiting({ row, now }: MessageFacts, { batch }: InstallationFacts): TimelineFact[] {
  if (!batch) return [{ code: 'looked-for' }]
  if (batch.isLeased) return [{ code: 'being-sent' }]
  return [
    describeQueued(batch, now),
    ...(batch.attempts === 0 ? [] : [{ code: 'taken-up', count: batch.attempts } as const]),
    { code: 'expires', at: endOf(row, batch).getTime() },
  ]
}

function endOf(row: MessageRow, batch: BatchFacts | undefined): Date {
  return (row.body.localTime && batch?.expiresAt) || row.expires_at
}

function describeQueued({ state, availableAt, isForLater, isPaced }: BatchFacts, now: Date): TimelineFact {
  if (isPaced) return { code: 'waits-for-turn' }
  const isLater = state === 'queued' && availableAt > now
  if (!isLater) return { code: 'in-work-list' }
  return { code: isForLater ? 'local-time' : 'tried-again', at: availableAt.getTime() }
}

/** What keeps it from being sent. */
function hindrances(message: MessageFacts, installation: InstallationFacts): TimelineEntry[] {
  const { row, providers, now } = message
  const path = choose(message, installation)
  const entries: TimelineEntry[] = []
  if (row.stopped_at) entries.push(entry('paused', { code: 'sending-stopped' }, row.stopped_at))
  if (row.paused_at) entries.push(entry('paused', { code: 'message-paused' }, row.paused_at))
  const paused = path.kind === 'provider' ? providers.get(path.provider) : undefined
  if (path.kind === 'provider' && paused) {
    const { provider } = path
    entries.push(entry('paused', { code: 'provider-paused', provider, detail: paused.reason }, paused.at))
  }
  const end = endOf(row, installation.batch)
  if (end <= now) entries.push(entry('expired', { code: 'message-expired' }, end))
  return entries
}
