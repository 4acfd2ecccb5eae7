import type { events, QueryOf } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import { checkInstallationId, unknownInstallation } from '../installations/installation-id.ts'
import { readMoment } from '../installations/read-moment.ts'
import { eventAnswer } from './event-answer.ts'
import { readEventCursor, writeEventCursor } from './event-cursor.ts'
import { type EventOwner, findEventOwner, readEventNames, readEventPage } from './list-events-store.ts'

type Query = QueryOf<typeof events>

const usualLimit = 100

/** [choice 35] Newest first. A user who is not known has no events; an installation that is not known is a mistake. */
export async function listEvents(ctx: Context, input: Query) {
  const limit = input.limit ?? usualLimit
  const page = {
    from: readMoment('from', input.from),
    to: readMoment('to', input.to),
    before: input.cursor === undefined ? undefined : readEventCursor(input.cursor),
    limit: limit + 1,
  }
  const owner = await ownerOf(ctx, input)
  if (!owner) return { data: [] }
  const rows = await readEventPage(ctx, owner, await namesFor(ctx, owner, input), page)
  const data = rows.slice(0, limit).map(eventAnswer)
  const last = data.at(-1)
  if (rows.length <= limit || !last) return { data }
  return { data, cursor: writeEventCursor({ eventAt: last.eventTime, id: last.id }) }
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
