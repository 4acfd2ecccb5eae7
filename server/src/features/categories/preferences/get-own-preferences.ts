import type { AnswerOf, getOwnPreferences as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readCategories } from '../category-store.ts'
import { getPreferences } from './get-preferences.ts'
import { userOfInstallation } from './user-of-installation.ts'

/** Of whoever is logged in on the installation. */
export async function getOwnPreferences(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof contract>> {
  const preferences = await getPreferences(ctx, { userId: await userOfInstallation(ctx, id) })
  const categories = await readCategories(db(ctx), ctx.app.id)
  return { ...preferences, offered: categories.map(({ createdAt: _at, ...offered }) => offered) }
}
