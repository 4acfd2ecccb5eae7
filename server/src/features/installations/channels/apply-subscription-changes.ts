import { limits } from '#base/config.ts'

export interface SubscriptionChange {
  appId: number
  installationNo: number
  /** In an installation's own words: `public/x`, or `x` for the user's own channel. */
  join: readonly string[]
  leave: readonly string[]
  /** `name/own installation id`, `name/alias` or `name/+`. */
  joinEvents: readonly string[]
  leaveEvents: readonly string[]
}

export interface SubscriptionsAnswer {
  /** Of those to join: the installation has as many as it may have. */
  refused: string[]
  refusedEvents: string[]
}

export interface StoredSubscriptions {
  appId: number
  installationNo: number
  channels: readonly string[]
  events: readonly string[]
}

/** Applies changes in order. An answer is undefined where there is no such installation. */
export function applySubscriptionChanges(
  stored: readonly StoredSubscriptions[],
  changes: readonly SubscriptionChange[],
): { answers: (SubscriptionsAnswer | undefined)[]; changed: StoredSubscriptions[] } {
  const states = new Map(stored.map((row) => [row.installationNo, row]))
  const answers = changes.map((change): SubscriptionsAnswer | undefined => {
    const before = states.get(change.installationNo)
    if (!before) return undefined
    const channels = apply(before.channels, change.join, change.leave)
    const events = apply(before.events, change.joinEvents, change.leaveEvents)
    if (channels.list !== before.channels || events.list !== before.events) {
      states.set(change.installationNo, { ...before, channels: channels.list, events: events.list })
    }
    return { refused: channels.refused, refusedEvents: events.refused }
  })
  return { answers, changed: stored.flatMap((row) => changedFrom(row, states.get(row.installationNo))) }
}

function changedFrom(before: StoredSubscriptions, after: StoredSubscriptions | undefined): StoredSubscriptions[] {
  return after && after !== before ? [after] : []
}

function apply(before: readonly string[], join: readonly string[], leave: readonly string[]) {
  const list = new Set(before)
  let isChanged = false
  for (const item of leave) isChanged = list.delete(item) || isChanged
  const refused: string[] = []
  for (const item of join) {
    if (list.has(item)) continue
    if (list.size >= limits.channelsPerInstallation) {
      refused.push(item)
      continue
    }
    list.add(item)
    isChanged = true
  }
  return { list: isChanged ? [...list] : before, refused }
}
