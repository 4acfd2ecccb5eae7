import type * as contract from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { isKnownUser } from '../installations/users/is-known-user.ts'
import { getMessageRow } from '../messages/stored/get-message-row.ts'
import { buildTimeline, type InstallationTimeline } from './build-timeline.ts'
import { explainFallback } from './explain-fallback.ts'
import { readFacts } from './read-facts.ts'
import { renderFact } from './render-fact.ts'

export type Explanation = contract.AnswerOf<typeof contract.explainMessage>

/** What became of a message on each installation of a user, and why. */
export async function explainMessage(ctx: Context, input: { id: string; user: string }): Promise<Explanation> {
  const row = await getMessageRow(ctx, input.id)
  const { message, installations } = await readFacts(ctx, row, input.user)
  const timelines = installations.map((installation) => buildTimeline(message, installation))
  const gist = await sumUp(ctx, input.user, timelines)
  const fallback = await explainFallback(ctx, row, input.user)
  return {
    messageId: row.id,
    user: input.user,
    text: renderFact(gist),
    says: [gist],
    installations: timelines,
    ...(fallback && { fallback }),
  }
}

async function sumUp(
  ctx: Context,
  user: string,
  timelines: readonly InstallationTimeline[],
): Promise<contract.TimelineFact> {
  if (timelines.length === 0)
    return { code: (await isKnownUser(ctx, user)) ? 'no-installations' : 'unknown-user', user }
  const count = (wanted: (story: InstallationTimeline) => boolean) => timelines.filter(wanted).length
  return {
    code: 'installations',
    count: timelines.length,
    sent: count(({ state }) => state !== undefined && state !== 'queued' && state !== 'ended'),
    waiting: count(({ state }) => state === 'queued'),
    ended: count(({ state }) => state === 'ended'),
    none: count(({ state }) => state === undefined),
  }
}
