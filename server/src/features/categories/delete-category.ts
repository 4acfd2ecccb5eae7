import { type Context, inTransaction } from '../../base/context.ts'
import { removeCategory } from './category-store.ts'
import { noCategory } from './no-category.ts'

export async function deleteCategory(ctx: Context, { id }: { id: string }): Promise<{ id: string }> {
  return inTransaction(ctx, async (tx) => {
    if (!(await removeCategory(tx, ctx.app.id, id))) throw noCategory(id)
    return { id }
  })
}
