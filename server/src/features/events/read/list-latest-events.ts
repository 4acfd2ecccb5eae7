import type { Context } from '#base/context.ts'
import { eventAnswer } from './event-answer.ts'
import { readEventPage, readNamesSince } from './list-events-store.ts'

/** An app may have had very many names: the usual ones of these days lead to its latest events. */
const mostNames = 500

/** What happened since a moment of today or yesterday, newest first. */
export async function listLatestEvents(ctx: Context, { from, limit }: { from: Date; limit: number }) {
  const names = await readNamesSince(ctx, from, mostNames)
  if (names.length === 0) return []
  const page = { from, to: undefined, before: undefined, limit }
  return (await readEventPage(ctx, {}, names, page)).map(eventAnswer)
}
