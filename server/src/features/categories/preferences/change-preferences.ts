import { type Preferences, type PreferencesChange, show, transactional } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { lockUsers } from '../../installations/users/lock-users.ts'
import { lockExisting, readCategories } from '../category-store.ts'
import { getPreferences } from './get-preferences.ts'
import { everything, writeChoices } from './preference-store.ts'

/** What is not given stays as it is. It is kept for users who are not known yet, too. */
export async function changePreferences(
  ctx: Context,
  { userId, all, categories = {} }: PreferencesChange & { userId: string },
): Promise<Preferences> {
  const choices = Object.entries(categories).map(([category, isWanted]) => ({ category, isWanted }))
  if (all !== undefined) choices.push({ category: everything, isWanted: all })
  return inTransaction(ctx, async (tx) => {
    await checkKnown({ ...ctx, tx }, Object.keys(categories))
    if (choices.length > 0) {
      const [user] = await lockUsers(tx, [{ appId: ctx.app.id, userId, makes: true }])
      await writeChoices(tx, { appId: ctx.app.id, userNo: user?.userNo as number, at: ctx.now() }, choices)
    }
    return getPreferences({ ...ctx, tx }, { userId })
  })
}

async function checkKnown(ctx: Context & { tx: Transaction }, given: readonly string[]): Promise<void> {
  if (given.length === 0) return
  const existing = await lockExisting(ctx.tx, ctx.app.id, given)
  const unknown = given.find((id) => !existing.includes(id))
  if (unknown === undefined) return
  const known = (await readCategories(ctx.tx, ctx.app.id)).map(({ id }) => id)
  const field = `categories.${unknown}`
  const why =
    unknown === transactional
      ? 'transactional messages cannot be refused'
      : `there is no category ${show(unknown)}; the app has ${known.length > 0 ? known.map((id) => show(id)).join(', ') : 'none'}`
  throw new RequestError('invalid-request', `"${field}": ${why}.`, { details: { field } })
}
