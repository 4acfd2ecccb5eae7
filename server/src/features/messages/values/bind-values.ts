import { setImmediate } from 'node:timers/promises'
import type { AnyNotification } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { nameElement } from '../accept/name-element.ts'
import { TemplateLength } from '../check/check-templates.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { allTexts } from '../compose/message-texts.ts'
import { pick } from '../compose/pick.ts'
import { bindText, tooLargeByValues } from './bind-text.ts'
import { checkValues } from './check-values.ts'
import { mayAskForValues } from './value-places.ts'

const worded = ['content', 'alertText', 'data', 'notification', 'fallback', 'contents', 'variants'] as const

/** [ADR-0202] The same message with its values in its texts. What is left of `values` is what no text asks for. */
export function bindValues<Sent extends AnyNotification>(sent: Sent): Sent {
  return sent.values === undefined ? sent : bind(sent).sent
}

/** The same for one or many, which must not become larger by their values than they could have come. */
export async function bindAllValues<Sent extends AnyNotification | AnyNotification[]>(sent: Sent): Promise<Sent> {
  if (!Array.isArray(sent)) return bindValues(sent as AnyNotification) as Sent
  let characters = 0
  const bound: AnyNotification[] = []
  for (const [index, element] of sent.entries()) {
    if (element.values === undefined) {
      bound.push(element)
      continue
    }
    await setImmediate()
    const each = nameElement(index, () => bind(element))
    characters += each.characters
    if (characters > limits.listBodyBytes) {
      const message = `With their values the messages take more than ${limits.listBodyBytes} bytes. Send them in several requests.`
      throw new RequestError('too-large', message)
    }
    bound.push(each.sent)
  }
  return bound as Sent
}

function bind<Sent extends AnyNotification>(sent: Sent): { sent: Sent; characters: number } {
  const { values = {}, ...said } = sent
  const given = checkValues(values)
  const texts = structuredClone(pick(said as AnyNotification, worded))
  const used = new Set<string>()
  const length = new TemplateLength()
  let characters = 0
  for (const { field, text, holder, key } of allTexts(texts as MessageContent)) {
    if (!mayAskForValues(text)) continue
    length.add(field, text)
    const bound = bindText(text, given)
    for (const name of bound.used) used.add(name)
    characters += bound.text.length
    if (characters > limits.messageBytes) throw tooLargeByValues()
    Reflect.set(holder, key, bound.text)
  }
  const unused = Object.entries(given).filter(([name]) => !used.has(name))
  const left = unused.length > 0 && { values: Object.fromEntries(unused) }
  return { sent: { ...said, ...texts, ...left } as Sent, characters }
}
