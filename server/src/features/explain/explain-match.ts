import type { TimelineEntry, TimelineFact } from '@peyk/contract'
import { readMessageChannel } from '../messages/compose/message-channel.ts'
import { entry, type InstallationFacts, type MessageFacts, type RuleFacts } from './facts.ts'

/** Whether the message was for the installation, and by which rule it was or was not. */
export function explainMatch(message: MessageFacts, installation: InstallationFacts): TimelineEntry {
  const { delivery, batch } = installation
  if (installation.isOthers && (delivery || batch)) return entry('not-matched', { code: 'not-own-then' })
  if (delivery?.reason === 'not-in-channel') return entry('not-matched', outsideChannel(message, installation))
  if (delivery || batch) return entry('matched', whyMatched(message, installation))
  const why = whyNot(message, installation)
  if (why !== undefined) return entry('not-matched', why)
  if (isToBeExpanded(message, installation)) return entry('matched', whyMatched(message, installation))
  return entry('not-matched', { code: 'matches-only-now' })
}

/** It will be found, but the audience has not been gone through so far yet. */
export function isToBeExpanded({ expandedUpTo }: MessageFacts, { installationNo }: InstallationFacts): boolean {
  return expandedUpTo !== undefined && installationNo > expandedUpTo
}

function whyMatched({ row }: MessageFacts, { rules }: InstallationFacts): TimelineFact[] {
  if (row.audience === 'users') return [{ code: 'names-user' }]
  const channel = readMessageChannel(row.channel)
  const onChannel: TimelineFact[] =
    channel.subscription === undefined ? [] : [{ code: 'on-channel', channel: channel.name }]
  if (row.audience === 'public') return onChannel.length > 0 ? onChannel : [{ code: 'everybody' }]
  if (rules.length === 0) return [{ code: 'everybody' }, ...onChannel]
  const failed = rules.filter((rule) => !rule.holds)
  if (failed.length === 0) return [{ code: 'all-rules', count: rules.length }, ...onChannel]
  return [{ code: 'matched-then' }, ...failed.map(describe)]
}

function whyNot(message: MessageFacts, installation: InstallationFacts): TimelineFact | TimelineFact[] | undefined {
  const { row, isNamed } = message
  const { uninstalledAt, createdAt, loggedInAt, isOwn, rules } = installation
  if (row.audience === 'users' && !isNamed) return { code: 'not-named' }
  // Moments count in whole milliseconds, as for segments.
  if (createdAt.getTime() > row.accepted_at.getTime()) return { code: 'registered-later', at: createdAt.getTime() }
  if (uninstalledAt) return { code: 'uninstalled-before', at: uninstalledAt.getTime() }
  if (row.body.live) return { code: 'live-not-connected' }
  if (row.audience === 'users') {
    if (!isOwn) return { code: 'logged-out' }
    return loggedInAt > row.accepted_at
      ? { code: 'logged-in-later', at: loggedInAt.getTime() }
      : { code: 'not-own-then' }
  }
  if (!isOnChannel(message, installation)) return outsideChannel(message, installation)
  const failed = rules.filter((rule) => !rule.holds)
  return failed.length > 0 ? failed.map(describe) : undefined
}

function isOnChannel({ row }: MessageFacts, { subscriptions, id }: InstallationFacts): boolean {
  const { subscription } = readMessageChannel(row.channel)
  return subscription === undefined || subscription === id || subscriptions.includes(subscription)
}

function outsideChannel({ row }: MessageFacts, { subscriptions }: InstallationFacts): TimelineFact {
  return { code: 'outside-channel', channel: row.channel, own: ['default', ...subscriptions] }
}

function describe({ rule, values }: RuleFacts): TimelineFact {
  const own = Object.entries(values).map(([name, value]) => [name, value === null ? null : shorten(value)])
  const isShort = (JSON.stringify(rule) ?? '').length <= longestSent
  return { code: 'rule-fails', rule: ruleText(rule), ...(isShort && { sent: rule }), values: Object.fromEntries(own) }
}

function ruleText(rule: unknown): string {
  const { name, operator, value, any, all } = rule as Record<string, unknown>
  if (typeof name === 'string' && typeof operator === 'string') return `${name} ${operator} ${shorten(value)}`
  const parts = Array.isArray(any) ? any : Array.isArray(all) ? all : undefined
  if (!parts) return shorten(rule)
  const words = parts.slice(0, mostParts).map(ruleText)
  const rest = parts.length > mostParts ? ' …' : ''
  return `(${words.join(Array.isArray(any) ? ' or ' : ' and ')}${rest})`
}

const mostParts = 10
const longest = 200
const longestSent = 4_000

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
