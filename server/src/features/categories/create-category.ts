import { type BodyOf, type Category, type createCategory as contract, show, transactional } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { insertCategory, lockCategories, readCategories } from './category-store.ts'

export async function createCategory(ctx: Context, input: BodyOf<typeof contract>): Promise<Category> {
  if (input.id === transactional) {
    throw new RequestError('invalid-request', `"id": ${show(transactional)} is reserved: it always exists.`, {
      details: { field: 'id' },
    })
  }
  return inTransaction(ctx, async (tx) => {
    await lockCategories(tx, ctx.app.id)
    const known = await readCategories(tx, ctx.app.id)
    if (known.some(({ id }) => id === input.id)) {
      throw new RequestError('already-exists', `A category with the id ${show(input.id)} already exists.`, {
        details: { what: 'category', id: input.id },
      })
    }
    if (known.length >= limits.categoriesPerApp) {
      throw new RequestError('limit-reached', `The app would have more than ${limits.categoriesPerApp} categories.`)
    }
    const category = { ...input, createdAt: ctx.now().getTime() }
    await insertCategory(tx, ctx.app.id, category)
    return category
  })
}
