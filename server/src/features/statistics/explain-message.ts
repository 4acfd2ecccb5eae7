import type { Context } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { readFacts } from './explain/read-facts.ts'
import { type FallbackStory, tellFallback } from './explain/tell-fallback.ts'
import { type InstallationStory, tellStory } from './explain/tell-story.ts'

export interface Explanation {
  messageId: string
  user: string
  /** The gist of it. */
  text: string
  installations: InstallationStory[]
  fallback?: FallbackStory
}

/** What became of a message on each installation of a user, and why. */
export async function explainMessage(ctx: Context, input: { id: string; user: string }): Promise<Explanation> {
  const row = await getMessageRow(ctx, input.id)
  const { message, installations } = await readFacts(ctx, row, input.user)
  const stories = installations.map((installation) => tellStory(message, installation))
  const fallback = await tellFallback(ctx, row, input.user)
  return {
    messageId: row.id,
    user: input.user,
    text: sumUp(input.user, stories),
    installations: stories,
    ...(fallback && { fallback }),
  }
}

function sumUp(user: string, stories: readonly InstallationStory[]): string {
  if (stories.length === 0) return `The user "${user}" has no installations, so there is none to send it to.`
  const count = (wanted: (story: InstallationStory) => boolean) => stories.filter(wanted).length
  const arrived = count(({ state }) => state !== undefined && state !== 'queued' && state !== 'ended')
  const parts = [
    `sent to ${arrived}`,
    `waiting for ${count(({ state }) => state === 'queued')}`,
    `ended for ${count(({ state }) => state === 'ended')}`,
    `not meant for ${count(({ state }) => state === undefined)}`,
  ].filter((part) => !part.endsWith(' 0'))
  return `Of ${stories.length} installation${stories.length === 1 ? '' : 's'}: ${parts.join(', ')}.`
}
