import type { PersonalNotification } from '@peyk/contract'
import { defineBatch } from '../../base/batch.ts'
import { type Context, inTransaction } from '../../base/context.ts'
import { countAudience } from './count-audience.ts'
import { draftElements, draftPersonal, type PersonalDraft } from './draft-personal.ts'
import type { Product } from './expiry.ts'
import { insertAudienceMessages } from './insert-audience-messages.ts'
import { insertPersonalMessages, type NamedDraft } from './insert-personal-messages.ts'

/** What a send answers [choice 11]. */
export interface Accepted {
  id: string
  count: number
}

export async function acceptPersonal(ctx: Context, sent: PersonalNotification, product: Product): Promise<Accepted> {
  const draft = draftPersonal(sent, { appId: ctx.app.id, product, at: ctx.now() })
  const [accepted] = await storeDrafts(ctx, [draft])
  return accepted as Accepted
}

/** Stored whole or not at all, and answered in the order of the request. */
export async function acceptPersonalArray(
  ctx: Context,
  sent: PersonalNotification[],
  product: Product,
): Promise<Accepted[]> {
  return storeDrafts(ctx, await draftElements(sent, { appId: ctx.app.id, product, at: ctx.now() }))
}

/** A request with more users has a transaction of its own, so that small ones do not wait for it. */
const maxUsersTogether = 500

async function storeDrafts(ctx: Context, drafts: PersonalDraft[]): Promise<Accepted[]> {
  if (drafts.every(isNamed) && countUsers(drafts) <= maxUsersTogether) return storeTogether(ctx, drafts)
  return inTransaction(ctx, (tx) => storeAlone({ ...ctx, tx }, drafts))
}

const storeTogether = defineBatch<NamedDraft[], Accepted[]>({
  name: 'messages',
  maxWeight: 2_000,
  weight: countUsers,
  flush: async (tx, requests) => {
    const drafts = requests.flat()
    const counts = await insertPersonalMessages(tx, drafts)
    let next = 0
    return requests.map((request) => request.map(({ id }) => ({ id, count: counts[next++] as number })))
  },
})

const usersPerStatement = 10_000

async function storeAlone(
  ctx: Context & { tx: NonNullable<Context['tx']> },
  drafts: PersonalDraft[],
): Promise<Accepted[]> {
  const counts = new Map<string, number>()
  for (const part of cutByUsers(drafts.filter(isNamed))) {
    const partCounts = await insertPersonalMessages(ctx.tx, part)
    for (const [index, { id }] of part.entries()) counts.set(id, partCounts[index] as number)
  }
  const toEverybody = drafts.filter((draft) => !isNamed(draft))
  const countsByChannel = new Map<string, number>()
  for (const draft of toEverybody) {
    const key = `${draft.channel.name} ${draft.body.live ?? false}`
    const recipients = countsByChannel.get(key) ?? (await countAudience(ctx, { target: {} }, draft))
    countsByChannel.set(key, recipients)
    counts.set(draft.id, recipients)
  }
  await insertAudienceMessages(
    ctx.tx,
    toEverybody.map((draft) => ({ ...draft, audience: 'public', recipients: counts.get(draft.id) as number })),
  )
  return drafts.map(({ id }) => ({ id, count: counts.get(id) as number }))
}

function cutByUsers(drafts: NamedDraft[]): NamedDraft[][] {
  const parts: NamedDraft[][] = []
  let users = Number.POSITIVE_INFINITY
  for (const draft of drafts) {
    users += draft.userIds.length
    if (users > usersPerStatement) {
      parts.push([])
      users = draft.userIds.length
    }
    parts.at(-1)?.push(draft)
  }
  return parts
}

function isNamed(draft: PersonalDraft): draft is NamedDraft {
  return draft.userIds !== undefined
}

function countUsers(drafts: NamedDraft[]): number {
  return drafts.reduce((sum, draft) => sum + draft.userIds.length, 0)
}
