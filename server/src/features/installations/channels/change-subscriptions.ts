import { defineBatch } from '#base/batch.ts'
import type { Context } from '#base/context.ts'
import type { RequestError } from '#base/errors.ts'
import { unknownInstallation } from '../installation-id.ts'
import {
  applySubscriptionChanges,
  type SubscriptionChange,
  type SubscriptionsAnswer,
} from './apply-subscription-changes.ts'
import { lockSubscriptions, updateSubscriptions } from './subscriptions-store.ts'

/**
 * Joins and leaves channels and the events of others, as the own connection's SUBSCRIBE and UNSUBSCRIBE say. Channels
 * are named as in an installation's list: `public/x`, or a bare `x` for the user's own.
 */
export async function changeSubscriptions(
  ctx: Context,
  input: Omit<SubscriptionChange, 'appId'>,
): Promise<SubscriptionsAnswer> {
  return writeSubscriptions(ctx, { ...input, appId: ctx.app.id })
}

const writeSubscriptions = defineBatch<SubscriptionChange, SubscriptionsAnswer>({
  name: 'subscriptions',
  maxWeight: 500,
  laneKey: ({ installationNo }) => String(installationNo),
  flush: async (tx, changes) => {
    const stored = await lockSubscriptions(tx, changes)
    const { answers, changed } = applySubscriptionChanges(stored, changes)
    await updateSubscriptions(tx, changed)
    return answers.map((answer, index): SubscriptionsAnswer | RequestError => {
      return answer ?? unknownInstallation(String(changes[index]?.installationNo))
    })
  },
})
