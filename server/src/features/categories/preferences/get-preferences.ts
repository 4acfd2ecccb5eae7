import type { Preferences } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readCategories } from '../category-store.ts'
import { everything, readChoices } from './preference-store.ts'

/** Whoever said nothing wants everything. */
export async function getPreferences(ctx: Context, { userId }: { userId: string }): Promise<Preferences> {
  const choices = await readChoices(db(ctx), ctx.app.id, userId)
  const said = new Map(choices.map(({ category, isWanted }) => [category, isWanted]))
  const categories = await readCategories(db(ctx), ctx.app.id)
  return {
    all: said.get(everything) ?? true,
    categories: Object.fromEntries(categories.map(({ id }) => [id, said.get(id) ?? true])),
  }
}
