import type { Category } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { readCategories } from './category-store.ts'

export async function listCategories(ctx: Context): Promise<{ data: Category[] }> {
  return { data: await readCategories(db(ctx), ctx.app.id) }
}
