import type { LiveData, MessageCounts } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { listLatestEvents } from '../../events/read/list-latest-events.ts'
import { findLatestLines } from '../message-lines/find-lines.ts'
import { linesOf } from '../message-lines/lines-of.ts'
import { readChecklist } from './read-checklist.ts'

const latestMessages = 30
const messagesUnderWay = 20
const latestEvents = 50
const eventsOfMinutes = 60

export interface LiveWanted {
  messages: boolean
  /** Messages to look at besides the latest. */
  others: readonly string[]
  events: boolean
  alerts: boolean
  checklist: boolean
  /** Messages that somebody looks at. */
  messageIds: readonly string[]
}

export interface LiveSample {
  messages: LiveData['messages']
  events: LiveData['events']
  alerts: LiveData['alerts'] | undefined
  checklist: LiveData['checklist'] | undefined
  watched: LiveData['message'][]
}

/** How things stand now, of what is asked for. */
export async function sampleLive(ctx: Context, wanted: LiveWanted): Promise<LiveSample> {
  const since = new Date(ctx.now().getTime() - eventsOfMinutes * 60_000)
  const [messages, events, alerts, checklist, watched] = await Promise.all([
    wanted.messages
      ? findLatestLines(ctx, { latest: latestMessages, underWay: messagesUnderWay, others: wanted.others })
      : [],
    wanted.events ? listLatestEvents(ctx, { from: since, limit: latestEvents }) : [],
    wanted.alerts ? listAlerts(ctx) : undefined,
    wanted.checklist ? readChecklist(ctx) : undefined,
    Promise.all(wanted.messageIds.map((id) => findCounts(ctx, id))),
  ])
  return {
    messages: await linesOf(ctx, messages),
    events,
    alerts,
    checklist,
    watched: watched.flatMap((counts) => counts ?? []),
  }
}

/** Undefined when there is no such message, or no longer. */
async function findCounts(ctx: Context, id: string): Promise<(MessageCounts & { id: string }) | undefined> {
  try {
    const message = await getMessage(ctx, { id })
    const { states, reasons, actions, languages, progress, influenced, fallbackCounts } = message
    const { cancelledAt, recalledAt, recall } = message
    return {
      id,
      states,
      reasons,
      actions,
      progress,
      influenced,
      ...(languages && { languages }),
      ...(fallbackCounts && { fallbackCounts }),
      ...(cancelledAt !== undefined && { cancelledAt }),
      ...(recalledAt !== undefined && { recalledAt }),
      ...(recall && { recall }),
    }
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not-found') return undefined
    throw error
  }
}
