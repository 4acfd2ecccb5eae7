import type { DeliveryReason, StoryEntry } from '@peyk/contract'
import { choosePath, type Path } from '../../deliveries/choose-path.ts'
import { providerNames } from '../../deliveries/provider.ts'
import { type DeliveryFacts, entry, type InstallationFacts, type MessageFacts } from './facts.ts'
import { isToBeExpanded } from './tell-match.ts'

/** Which way the message took or will take, and why none of the others. */
export function tellPath(message: MessageFacts, installation: InstallationFacts): StoryEntry | undefined {
  const { delivery } = installation
  const now = choose(message, installation)
  if (!delivery?.provider) return entry('path', describePath(now, installation))
  if (delivery.provider === 'connection') return entry('path', describeConnection(delivery, now))
  const isSame = now.kind === 'provider' && now.provider === delivery.provider
  return entry(
    'path',
    isSame ? describePath(now, installation) : `${delivery.provider}. By now it would be another: ${now.why}.`,
  )
}

/** What has arrived came over the connection, whatever was known when its way was chosen. */
function describeConnection({ state, detail }: DeliveryFacts, now: Path): string {
  if (state === 'queued') return `The inbox: ${detail ?? now.why}.`
  if (state === 'ended') return `The inbox: ${now.why}.`
  return `The own connection.${detail ? ` When its way was chosen: ${detail}.` : ''}`
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

function describePath(path: Path, { isConnected }: InstallationFacts): string {
  if (path.kind === 'inbox') return `The inbox: ${path.why}.`
  if (path.kind === 'ended') return `None: ${path.why}.`
  if (path.kind === 'connection') return `The own connection: ${path.why}.`
  const others = providerNames.filter((name) => name !== path.provider).join(' and ')
  const connection = isConnected ? '' : ' Not the own connection: it is not connected.'
  return `${path.provider}: ${path.why}. Not ${others}: the token is none of theirs.${connection}`
}

const outcomes: Record<string, string> = {
  accepted: 'accepted it',
  gone: 'said that the token is dead',
  later: 'said to try again later',
  refused: 'refused it',
  paused: 'did not take our credentials',
  unknown: 'gave no answer',
}

/** Each try with its answer, the one that was accepted among them. */
export function tellAttempts({ delivery, attempts }: InstallationFacts): StoryEntry[] {
  const told = attempts.map(({ at, provider, outcome, detail }) => ({
    at,
    told: entry('attempt', `${provider} ${outcomes[outcome] ?? outcome}${said(detail)}`, at),
  }))
  if (delivery?.sentAt) {
    const text = `${delivery.provider ?? 'The provider'} accepted it${said(delivery.state === 'ended' ? null : delivery.detail)}`
    told.push({ at: delivery.sentAt, told: entry('sent', text, delivery.sentAt) })
  }
  return told.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ told }) => told)
}

function said(detail: string | null): string {
  return detail ? `: ${detail.replace(/\.$/, '')}.` : '.'
}

const ends: Record<DeliveryReason, string> = {
  expired: 'It expired before it could be handed over or fetched.',
  gone: 'The installation is gone.',
  refused: 'It could not be sent in this form.',
  'no-provider': 'There is no way to this installation.',
  'not-in-channel': 'The installation is not on the message’s channel.',
  'opted-out': 'Notifications are not allowed on the device.',
  'promo-exhausted': 'There was no promo code left for the user.',
  cancelled: 'The message was cancelled before it was sent.',
  'no-phone': 'The user has no phone number.',
  unknown: 'Nobody knows whether it arrived: the provider gave no answer, twice.',
}

/** How it ended, or what it waits for. */
export function tellStanding(message: MessageFacts, installation: InstallationFacts): StoryEntry[] {
  const { delivery, batch } = installation
  const { row } = message
  if (delivery?.state === 'ended' && delivery.reason) {
    const detail = delivery.detail ? ` ${sentence(delivery.detail)}` : ''
    return [entry('ended', `${ends[delivery.reason]}${detail}`, delivery.updatedAt)]
  }
  if (delivery?.state === 'queued') {
    return [
      entry('waiting', `It waits in the inbox until it is fetched, or expires at ${row.expires_at.toISOString()}.`),
    ]
  }
  if (delivery) return []
  if (batch?.state === 'cancelled') return [entry('ended', ends.cancelled, row.cancelled_at)]
  if (!batch && !isToBeExpanded(message, installation)) return []
  return [...hindrances(message, installation), entry('waiting', describeWaiting(message, installation))]
}

function describeWaiting({ row, now }: MessageFacts, { batch }: InstallationFacts): string {
  if (!batch) return 'The installations of the message are still being looked for.'
  if (batch.isLeased) return 'It is being sent at this moment.'
  const tries =
    batch.attempts === 0 ? '' : ` It was taken up ${batch.attempts === 1 ? 'once' : `${batch.attempts} times`}.`
  const until = ` It expires at ${row.expires_at.toISOString()}.`
  if (batch.state === 'queued' && batch.availableAt > now) {
    return `It will be tried again at ${batch.availableAt.toISOString()}.${tries}${until}`
  }
  return `It is in the work-list.${tries}${until}`
}

/** What keeps it from being sent. */
function hindrances(message: MessageFacts, installation: InstallationFacts): StoryEntry[] {
  const { row, providers, now } = message
  const path = choose(message, installation)
  const entries: StoryEntry[] = []
  if (row.paused_at) entries.push(entry('paused', 'The message was paused.', row.paused_at))
  const paused = path.kind === 'provider' ? providers.get(path.provider) : undefined
  if (path.kind === 'provider' && paused) {
    entries.push(entry('paused', `${path.provider} is paused for the app: ${paused.reason}`, paused.at))
  }
  if (row.expires_at <= now)
    entries.push(entry('expired', 'The message has expired and will not be sent any more.', row.expires_at))
  return entries
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
