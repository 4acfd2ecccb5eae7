import type { StorySaying } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { buildTimeline, type InstallationStory } from './build-timeline.ts'
import { explainFallback, type FallbackStory } from './explain-fallback.ts'
import { readFacts } from './read-facts.ts'
import { sayInEnglish } from './say-in-english.ts'

export interface Explanation {
  messageId: string
  user: string
  /** The gist of it. */
  text: string
  says: StorySaying[]
  installations: InstallationStory[]
  fallback?: FallbackStory
}

/** What became of a message on each installation of a user, and why. */
export async function explainMessage(ctx: Context, input: { id: string; user: string }): Promise<Explanation> {
  const row = await getMessageRow(ctx, input.id)
  const { message, installations } = await readFacts(ctx, row, input.user)
  const stories = installations.map((installation) => buildTimeline(message, installation))
  const gist = sumUp(input.user, stories)
  const fallback = await explainFallback(ctx, row, input.user)
  return {
    messageId: row.id,
    user: input.user,
    text: sayInEnglish(gist),
    says: [gist],
    installations: stories,
    ...(fallback && { fallback }),
  }
}

function sumUp(user: string, stories: readonly InstallationStory[]): StorySaying {
  if (stories.length === 0) return { code: 'no-installations', user }
  const count = (wanted: (story: InstallationStory) => boolean) => stories.filter(wanted).length
  return {
    code: 'installations',
    count: stories.length,
    sent: count(({ state }) => state !== undefined && state !== 'queued' && state !== 'ended'),
    waiting: count(({ state }) => state === 'queued'),
    ended: count(({ state }) => state === 'ended'),
    none: count(({ state }) => state === undefined),
  }
}
