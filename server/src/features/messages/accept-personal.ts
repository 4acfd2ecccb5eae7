import { setImmediate } from 'node:timers/promises'
import type { AnyNotification } from '@peyk/contract'
import { defineBatch } from '../../base/batch.ts'
import { type Context, inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { acceptedOf, type Accepted } from './accepted.ts'
import { countAudience } from './count-audience.ts'
import { type Acceptance, type Draft, draftMessage } from './draft-message.ts'
import type { Product } from './expiry.ts'
import { insertAudienceMessages } from './insert-audience-messages.ts'
import { insertPersonalMessages, type PersonalDraft } from './insert-personal-messages.ts'
import { readUsers } from './read-receivers.ts'

/** A request with more users than this has a transaction of its own, so that small ones do not wait for it. */
const maxUsersTogether = 500
const usersPerStatement = 10_000
const elementsPerTurn = 20

/** Stores messages to users: one, or an array that is stored whole or not at all [choice 11]. */
export async function acceptPersonal(
  ctx: Context,
  sent: AnyNotification | AnyNotification[],
  product: Product,
): Promise<Accepted | Accepted[]> {
  const acceptance = { appId: ctx.app.id, product, at: ctx.now() }
  const isArray = Array.isArray(sent)
  const drafts = isArray ? await draftElements(sent, acceptance) : [draftPersonal(sent, acceptance)]
  const users = drafts.reduce((sum, draft) => sum + (draft.userIds?.length ?? Number.POSITIVE_INFINITY), 0)
  const counts =
    users <= maxUsersTogether
      ? await storeTogether(ctx, drafts as PersonalDraft[])
      : await inTransaction(ctx, (tx) => storeAlone({ ...ctx, tx }, drafts, acceptance.at))
  const answers = drafts.map((draft) => acceptedOf(draft, counts))
  return isArray ? answers : (answers[0] as Accepted)
}
