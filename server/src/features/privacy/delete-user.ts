import { type Context, inTransaction } from '../../base/context.ts'
import { forgetUser as forgetDeliveries } from '../deliveries/forget-user.ts'
import { forgetUser as forgetEvents } from '../events/forget-user.ts'
import { forgetUser as forgetInstallations } from '../installations/forget-user.ts'
import { forgetUser as forgetMessages } from '../messages/forget-user.ts'
import { forgetUser as forgetPromoCodes } from '../promo/forget-user.ts'
import { forgetUser as forgetReceipts } from '../receipts/forget-user.ts'
import { getUser } from '../statistics/get-user.ts'
import { findForgotten } from './find-forgotten.ts'
import { takeTime } from './take-time.ts'

/** Everything that is kept of a user, in one transaction, from what hangs on other things to what they hang on. */
export async function deleteUser(ctx: Context, { userId }: { userId: string }) {
  return inTransaction(ctx, async (tx) => {
    await takeTime(tx)
    const { user_no } = await getUser(tx, ctx, userId)
    const user = await findForgotten(tx, ctx.app.id, userId, user_no)
    const receipts = await forgetReceipts(tx, user)
    const deliveries = await forgetDeliveries(tx, user)
    const messages = await forgetMessages(tx, user)
    const promoCodes = await forgetPromoCodes(tx, user)
    const events = await forgetEvents(tx, user)
    const installations = await forgetInstallations(tx, user)
    return { userId, ...installations, ...events, ...messages, ...deliveries, ...receipts, ...promoCodes }
  })
}
