import type { BodyOf, replaceTemplate as contract, Template } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkTemplateMessage } from './check-template-message.ts'
import { authorOf, nameTaken, noTemplate } from './template-faults.ts'
import { findIdByName, findTemplate, lockTemplates, updateTemplate } from './template-store.ts'
import { withItsValues } from './with-values.ts'

/** What is not given stays. */
export async function replaceTemplate(
  ctx: Context,
  input: BodyOf<typeof contract> & { id: string },
): Promise<Template> {
  if (input.name === undefined && input.message === undefined) {
    throw new RequestError('invalid-request', 'Expected "name", "message" or both.', { details: { field: 'name' } })
  }
  const message = input.message && (await checkTemplateMessage(ctx, input.message))
  const replaced = await inTransaction(ctx, async (tx) => {
    await lockTemplates(tx, ctx.app.id)
    const found = await findTemplate({ ...ctx, tx }, input.id)
    if (!found) throw noTemplate(input.id)
    const name = input.name?.trim() ?? found.name
    const namesake = await findIdByName(tx, ctx.app.id, name)
    if (namesake !== undefined && namesake !== found.id) throw nameTaken(name, namesake)
    const change = { name, message: message ?? found.message, at: ctx.now(), by: authorOf(ctx) }
    const changed = await updateTemplate(tx, ctx, found.id, change)
    if (!changed) throw noTemplate(input.id)
    return changed
  })
  return withItsValues(replaced)
}
