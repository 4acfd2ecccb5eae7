import type { AnswerOf, ComposedMessage, panelWantedValues as contract } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { composeMessage } from '../messages/compose/compose-message.ts'
import { listWanted } from '../messages/values/list-wanted.ts'

/** The values that a message, finished or not, asks for. */
export async function listWantedValues(
  _ctx: Context,
  { product: _, ...sent }: ComposedMessage,
): Promise<AnswerOf<typeof contract>> {
  return { values: listWanted(composeMessage(sent)) }
}
