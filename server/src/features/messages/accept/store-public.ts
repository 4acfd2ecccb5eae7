import { type Context, db } from '#base/context.ts'
import type { Accepted, Draft } from './draft-message.ts'
import { type AudienceDraft, insertAudienceMessages } from './insert-audience-messages.ts'
import { type ResolvedRecipients, resolveRecipients } from './resolve-recipients.ts'

/** Messages to everybody on a public channel, answered in their order. Those to the same people share one list of them. */
export async function storePublic(ctx: Context, drafts: readonly Draft[]): Promise<Accepted[]> {
  const known = new Map<string, ResolvedRecipients>()
  const counted: AudienceDraft[] = []
  for (const draft of drafts) {
    const key = `${draft.channel.name} ${draft.body.live ?? false}`
    const fixed = known.get(key) ?? (await resolveRecipients(ctx, { target: {} }, draft))
    known.set(key, fixed)
    counted.push({ ...draft, ...fixed, audience: 'public' })
  }
  await insertAudienceMessages(db(ctx), counted)
  return counted.map(({ id, recipients }) => ({ id, count: recipients }))
}
