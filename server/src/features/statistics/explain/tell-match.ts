import type { StoryEntry } from '@peyk/contract'
import { readMessageChannel } from '../../messages/message-channel.ts'
import { entry, type InstallationFacts, type MessageFacts, type RuleFacts } from './facts.ts'

/** Whether the message was for the installation, and by which rule it was or was not. */
export function tellMatch(message: MessageFacts, installation: InstallationFacts): StoryEntry {
  const { delivery, batch } = installation
  if (delivery?.reason === 'not-in-channel') return entry('not-matched', outsideChannel(message, installation))
  if (delivery || batch) return entry('matched', whyMatched(message, installation))
  const why = whyNot(message, installation)
  if (why !== undefined) return entry('not-matched', why)
  if (isToBeExpanded(message, installation)) return entry('matched', whyMatched(message, installation))
  return entry('not-matched', 'It matches now, but it did not when the installations were looked for.')
}

/** It will be found, but the audience has not been gone through so far yet. */
export function isToBeExpanded({ expandedUpTo }: MessageFacts, { installationNo }: InstallationFacts): boolean {
  return expandedUpTo !== undefined && installationNo > expandedUpTo
}

function whyMatched({ row }: MessageFacts, { rules }: InstallationFacts): string {
  if (row.audience === 'users') return 'The message names the user, who was logged in on this installation.'
  const channel = readMessageChannel(row.channel)
  const onChannel = channel.subscription === undefined ? '' : ` It is subscribed to the channel "${channel.name}".`
  if (row.audience === 'public') return onChannel.trim() || 'The message goes to everybody.'
  if (rules.length === 0) return `The message goes to everybody.${onChannel}`
  const failed = rules.filter((rule) => !rule.holds)
  if (failed.length === 0) return `It matches all of the message’s rules (${rules.length}).${onChannel}`
  return `It matched all rules when it was looked for. By now it would not. ${failed.map(describe).join(' ')}`
}

function whyNot(message: MessageFacts, installation: InstallationFacts): string | undefined {
  const { row, isNamed } = message
  const { uninstalledAt, createdAt, loggedInAt, isOwn, rules } = installation
  if (row.audience === 'users' && !isNamed) return 'The message does not name the user.'
  // Moments count in whole milliseconds, as for segments.
  if (createdAt.getTime() > row.accepted_at.getTime()) {
    return `It was registered at ${createdAt.toISOString()}, after the message was accepted.`
  }
  if (uninstalledAt) return `It was uninstalled at ${uninstalledAt.toISOString()}.`
  if (row.body.live) return 'A live message goes to installations that are connected when it is accepted; it was not.'
  if (row.audience === 'users') {
    if (!isOwn) return 'The user had logged out of it.'
    if (loggedInAt > row.accepted_at) {
      return `The user logged in on it at ${loggedInAt.toISOString()}, after the message was accepted.`
    }
    return 'It was not one of the user’s installations when the message was accepted.'
  }
  if (!isOnChannel(message, installation)) return outsideChannel(message, installation)
  const failed = rules.filter((rule) => !rule.holds)
  return failed.length > 0 ? failed.map(describe).join(' ') : undefined
}

function isOnChannel({ row }: MessageFacts, { subscriptions, id }: InstallationFacts): boolean {
  const { subscription } = readMessageChannel(row.channel)
  return subscription === undefined || subscription === id || subscriptions.includes(subscription)
}

function outsideChannel({ row }: MessageFacts, { subscriptions }: InstallationFacts): string {
  const own = ['default', ...subscriptions].map((name) => `"${name}"`).join(', ')
  return `The message goes to the channel "${row.channel}". The installation is subscribed to ${own}.`
}

function describe({ rule, values }: RuleFacts): string {
  const own = Object.entries(values).map(([name, value]) => `${name} is ${value === null ? 'not set' : shorten(value)}`)
  return `The rule ${ruleText(rule)} does not hold: here ${own.join(', ')}.`
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

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
