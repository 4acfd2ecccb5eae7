import { show } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isOfGroups, removeCategory } from './category-store.ts'
import { noCategory } from './no-category.ts'

export async function deleteCategory(ctx: Context, { id }: { id: string }): Promise<{ id: string }> {
  return inTransaction(ctx, async (tx) => {
    if (!(await removeCategory(tx, ctx.app.id, id))) throw noCategory(id)
    if (await isOfGroups(tx, ctx.app.id, id)) throw inUse(id)
    return { id }
  })
}

/** Without it, sends to groups would pass by all limits from one moment to the next. */
function inUse(id: string): RequestError {
  const message = `The category ${show(id)} is the one of sends to groups that name none ("groupCategory"). Choose another one for these first.`
  return new RequestError('in-use', message, { details: { what: 'category', id } })
}
