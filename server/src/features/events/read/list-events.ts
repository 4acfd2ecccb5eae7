import type { events, QueryOf } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { readTimeAndIdCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { readMoment } from '#base/read-moment.ts'
import { checkInstallationId, unknownInstallation } from '../../installations/installation-id.ts'
import { eventAnswer } from './event-answer.ts'
import {
  type EventOwner,
  type EventPage,
  findEventOwner,
  type ListedEvent,
  readEventNames,
  readEventPage,
} from './list-events-store.ts'

type Query = QueryOf<typeof events>

const defaultLimit = 100
const eventsPerRead = 100
const pageBytes = limits.answerBytes / 4

/**
 * [users-and-events.md#events] Newest first. A user who is not known has no events; an installation that is not known
 * is a mistake.
 */
export async function listEvents(ctx: Context, input: Query) {
  const limit = input.limit ?? defaultLimit
  const page = {
    from: readMoment('from', input.from),
    to: readMoment('to', input.to),
    before: readTimeAndIdCursor(input.cursor),
    limit,
  }
  const owner = await ownerOf(ctx, input)
  if (!owner) return { data: [] }
  const { rows, hasMore } = await readInParts(ctx, owner, await namesFor(ctx, owner, input), page)
  const data = rows.map(eventAnswer)
  const last = data.at(-1)
  if (!hasMore || !last) return { data }
  return { data, cursor: writeTimeCursor({ time: last.eventTime, name: last.id }) }
}

/** Some at a time, until there are enough of them or they are large enough: then the page ends early. */
async function readInParts(ctx: Context, owner: EventOwner, names: string[] | undefined, page: EventPage) {
  const rows: ListedEvent[] = []
  let bytes = 0
  let { before } = page
  for (;;) {
    const wanted = Math.min(eventsPerRead, page.limit - rows.length)
    const part = await readEventPage(ctx, owner, names, { ...page, before, limit: wanted + 1 })
    const isEnd = part.length <= wanted
    rows.push(...part.slice(0, wanted))
    bytes += part.reduce((sum, { data }) => sum + (data ? JSON.stringify(data).length : 0), 0)
    const last = rows.at(-1)
    if (isEnd || !last || rows.length >= page.limit || bytes > pageBytes) return { rows, hasMore: !isEnd }
    before = { time: last.event_at.getTime(), name: last.id }
  }
}

async function ownerOf(ctx: Context, { userId, installationId }: Query): Promise<EventOwner | undefined> {
  if (userId === undefined && installationId === undefined) return {}
  const id = installationId === undefined ? undefined : checkInstallationId(installationId)
  const found = await findEventOwner(ctx, userId, id)
  if (id !== undefined && found.installationNo === undefined) throw unknownInstallation(id)
  return userId !== undefined && found.userNo === undefined ? undefined : found
}

/** Without an owner the names lead to the events, for there is no index by time alone. */
async function namesFor(ctx: Context, owner: EventOwner, { eventName }: Query): Promise<string[] | undefined> {
  const isOwned = owner.userNo !== undefined || owner.installationNo !== undefined
  if (isOwned && eventName === undefined) return undefined
  const names = await readEventNames(ctx, owner)
  if (eventName === undefined) return names
  const key = eventName.toLowerCase()
  return names.filter((name) => name.toLowerCase() === key)
}
