import type { BodyOf, Category, replaceCategory as contract } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { updateCategory } from './category-store.ts'
import { noCategory } from './no-category.ts'

export async function replaceCategory(
  ctx: Context,
  input: BodyOf<typeof contract> & { id: string },
): Promise<Category> {
  const changed = await updateCategory(db(ctx), ctx.app.id, input)
  if (!changed) throw noCategory(input.id)
  return changed
}
