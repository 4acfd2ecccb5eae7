import { type BodyOf, type createTemplate as contract, show, type Template } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { checkTemplateMessage } from './check-template-message.ts'
import { authorOf, nameTaken } from './template-faults.ts'
import { candidateIds, suggestTemplateId } from './template-id.ts'
import { countTemplates, findIdByName, findTakenIds, insertTemplate, lockTemplates } from './template-store.ts'
import { withItsValues } from './with-values.ts'

export async function createTemplate(ctx: Context, input: BodyOf<typeof contract>): Promise<Template> {
  const message = await checkTemplateMessage(ctx, input.message)
  const name = input.name.trim()
  const created = await inTransaction(ctx, async (tx) => {
    await lockTemplates(tx, ctx.app.id)
    const count = await countTemplates(tx, ctx.app.id)
    if (count >= limits.templatesPerApp) {
      throw new RequestError('limit-reached', `The app would have more than ${limits.templatesPerApp} templates.`)
    }
    const namesake = await findIdByName(tx, ctx.app.id, name)
    if (namesake !== undefined) throw nameTaken(name, namesake)
    const id = await chooseId(tx, ctx.app.id, input.id, name, count)
    return insertTemplate(tx, ctx, id, { name, message, at: ctx.now(), by: authorOf(ctx) })
  })
  return withItsValues(created)
}

async function chooseId(
  tx: Transaction,
  appId: number,
  given: string | undefined,
  name: string,
  count: number,
): Promise<string> {
  const wanted = given === undefined ? candidateIds(suggestTemplateId(name), count) : [given]
  const taken = await findTakenIds(tx, appId, wanted)
  const id = wanted.find((candidate) => !taken.has(candidate))
  if (id !== undefined) return id
  throw new RequestError('already-exists', `A template with the id ${show(given)} already exists.`, {
    details: { what: 'template', name: given, id: given },
  })
}
