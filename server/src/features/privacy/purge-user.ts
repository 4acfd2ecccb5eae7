import { forgetAnswers } from '#base/idempotency/forget-answers.ts'
import type { Transaction } from '#base/store/store.ts'
import { forgetUser as forgetPreferences } from '../categories/forget-user.ts'
import { forgetUser as forgetApprovals } from '../composer/approvals/forget-user.ts'
import { forgetUser as forgetDrafts } from '../composer/drafts/forget-user.ts'
import { forgetUser as forgetDeliveries } from '../deliveries/forget-user.ts'
import { forgetUser as forgetEvents } from '../events/forget-user.ts'
import { type ForgottenUser, forgetUser as forgetInstallations } from '../installations/users/forget-user.ts'
import { forgetUser as forgetMessages } from '../messages/forget-user.ts'
import { forgetUser as forgetPromoCodes } from '../promo/forget-user.ts'
import { forgetUser as forgetReceipts } from '../receipts/forget-user.ts'
import { forgetUser as forgetCalls } from '../webhooks/forget-user.ts'

/** How many rows of each kind went. */
export type Purged = Awaited<ReturnType<typeof purgeUser>>

/** Removes everything that is kept of a user, in the order in which all others lock it too: see ARCHITECTURE.md. */
export async function purgeUser(tx: Transaction, user: ForgottenUser) {
  const events = await forgetEvents(tx, user)
  const deliveries = await forgetDeliveries(tx, user)
  const receipts = await forgetReceipts(tx, user)
  const messages = await forgetMessages(tx, user)
  const promoCodes = await forgetPromoCodes(tx, user)
  await forgetPreferences(tx, user)
  const installations = await forgetInstallations(tx, user)
  await forgetCalls(tx, user)
  await forgetDrafts(tx, user)
  await forgetApprovals(tx, user)
  await forgetAnswers(tx, {
    appId: user.appId,
    words: [...user.userIds, ...user.installationIds],
    until: user.until?.stored,
  })
  return { ...installations, ...events, ...messages, ...deliveries, ...receipts, ...promoCodes }
}

export const nothingPurged: Purged = {
  users: 0,
  installations: 0,
  tags: 0,
  attributes: 0,
  uninstalls: 0,
  events: 0,
  messages: 0,
  deliveries: 0,
  receipts: 0,
  promoCodes: 0,
}

export function addUp(counts: readonly Purged[]): Purged {
  const sum = { ...nothingPurged }
  for (const each of counts) for (const kind in sum) sum[kind as keyof Purged] += each[kind as keyof Purged]
  return sum
}
