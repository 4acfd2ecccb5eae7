import { type Context, db } from '../../base/context.ts'
import { countAudience } from './count-audience.ts'
import type { Accepted, Draft } from './draft-message.ts'
import { type AudienceDraft, insertAudienceMessages } from './insert-audience-messages.ts'

/** Messages to everybody on a public channel, answered in their order. */
export async function storePublic(ctx: Context, drafts: readonly Draft[]): Promise<Accepted[]> {
  const counts = new Map<string, number>()
  const counted: AudienceDraft[] = []
  for (const draft of drafts) {
    const key = `${draft.channel.name} ${draft.body.live ?? false}`
    const recipients = counts.get(key) ?? (await countAudience(ctx, { target: {} }, draft))
    counts.set(key, recipients)
    counted.push({ ...draft, audience: 'public', recipients })
  }
  await insertAudienceMessages(db(ctx), counted)
  return counted.map(({ id, recipients }) => ({ id, count: recipients }))
}
