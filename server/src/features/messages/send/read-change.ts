import type { AnyNotification } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { readSaid } from './read-said.ts'

/**
 * What is said anew of a message that was accepted. Its texts have their values already: others would have no
 * effect without the texts that ask for them.
 */
export async function readChange(ctx: Context, change: AnyNotification): Promise<AnyNotification> {
  const { values = {}, ...given } = await readSaid(ctx, change)
  const [name] = Object.keys(values)
  if (name === undefined) return given
  throw new RequestError(
    'invalid-request',
    `"values.${name}": no text of the change asks for it, and those of the message have their values already. Give "templateId" or the texts again.`,
    { details: { field: `values.${name}` } },
  )
}
