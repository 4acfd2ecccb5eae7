import { type Preferences, type PreferencesChange, show, transactional } from '@peyk/contract'
import { type Context, db, inTransaction } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { lockUsers } from '../../installations/users/lock-users.ts'
import { readCategories } from '../category-store.ts'
import { getPreferences } from './get-preferences.ts'
import { everything, writeChoices } from './preference-store.ts'

/** What is not given stays as it is. It is kept for users who are not known yet, too. */
export async function changePreferences(
  ctx: Context,
  { userId, all, categories = {} }: PreferencesChange & { userId: string },
): Promise<Preferences> {
  await checkKnown(ctx, Object.keys(categories))
  const choices = Object.entries(categories).map(([category, isWanted]) => ({ category, isWanted }))
  if (all !== undefined) choices.push({ category: everything, isWanted: all })
  return inTransaction(ctx, async (tx) => {
    if (choices.length > 0) {
      const [user] = await lockUsers(tx, [{ appId: ctx.app.id, userId, makes: true }])
      await writeChoices(tx, { appId: ctx.app.id, userNo: user?.userNo as number, at: ctx.now() }, choices)
    }
    return getPreferences({ ...ctx, tx }, { userId })
  })
}

async function checkKnown(ctx: Context, given: readonly string[]): Promise<void> {
  if (given.length === 0) return
  const known = (await readCategories(db(ctx), ctx.app.id)).map(({ id }) => id)
  const unknown = given.find((id) => !known.includes(id))
  if (unknown === undefined) return
  const field = `categories.${unknown}`
  const why =
    unknown === transactional
      ? 'transactional messages cannot be refused'
      : `there is no category ${show(unknown)}; the app has ${known.length > 0 ? known.map((id) => show(id)).join(', ') : 'none'}`
  throw new RequestError('invalid-request', `"${field}": ${why}.`, { details: { field } })
}
