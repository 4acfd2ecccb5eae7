import { type LiveData, MessageCounts, type MessageLine } from '@peyk/contract'
import { type Context, inSnapshot } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { listLatestEvents } from '../../events/read/list-latest-events.ts'
import { findLatestLines } from '../message-lines/find-lines.ts'
import { linesOf } from '../message-lines/lines-of.ts'
import { readResults } from '../message-lines/read-results.ts'
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
  /** Their counts in the previous sample. */
  known?: ReadonlyMap<string, LiveData['message']>
}

export interface LiveSample {
  messages: LiveData['messages']
  events: LiveData['events']
  alerts: LiveData['alerts'] | undefined
  checklist: LiveData['checklist'] | undefined
  watched: LiveData['message'][]
}

function readLatestLines(ctx: Context, others: readonly string[]): Promise<MessageLine[]> {
  return inSnapshot(ctx, async (inner) =>
    linesOf(inner, await findLatestLines(inner, { latest: latestMessages, underWay: messagesUnderWay, others })),
  )
}

type Counts = LiveData['message']
type Counted = Pick<Counts, 'at' | 'opens' | 'test' | 'codes'>
const countNames = Object.keys(MessageCounts.properties)

/** How things stand now, of what is asked for. */
export async function sampleLive(ctx: Context, wanted: LiveWanted): Promise<LiveSample> {
  const since = new Date(ctx.now().getTime() - eventsOfMinutes * 60_000)
  const [messages, events, alerts, checklist, watched] = await Promise.all([
    wanted.messages ? readLatestLines(ctx, wanted.others) : [],
    wanted.events ? listLatestEvents(ctx, { from: since, limit: latestEvents }) : [],
    wanted.alerts ? listAlerts(ctx) : undefined,
    wanted.checklist ? readChecklist(ctx) : undefined,
    Promise.all(wanted.messageIds.map((id) => findCounts(ctx, id, wanted.known?.get(id)))),
  ])
  return {
    messages,
    events,
    alerts,
    checklist,
    watched: watched.flatMap((counts) => counts ?? []),
  }
}

/** Unchanged counts are refreshed after this time: users reach goals without any delivery moving. */
const keptMs = 30_000
const keptOfTestMs = 10_000

/** Undefined when there is no such message, or no longer. */
async function findCounts(ctx: Context, id: string, last: Counts | undefined): Promise<Counts | undefined> {
  try {
    return countsOf(
      await readResults(ctx, { id }, { known: (message) => (last && isKept(ctx, message, last) ? last : undefined) }),
    )
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not-found') return undefined
    throw error
  }
}

function isKept(ctx: Context, message: Omit<Counts, keyof Counted>, last: Counts): boolean {
  if (ctx.now().getTime() - last.at > (last.test ? keptOfTestMs : keptMs)) return false
  const { at, opens, test, codes } = last
  return JSON.stringify(countsOf({ ...message, at, opens, test, codes } as Counts)) === JSON.stringify(last)
}

function countsOf(message: Counts): Counts {
  return Object.fromEntries(
    ['id', ...countNames].flatMap((name) => {
      const value = message[name as keyof Counts]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as unknown as Counts
}
