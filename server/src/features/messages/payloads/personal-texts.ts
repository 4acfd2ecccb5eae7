import { forbiddenScheme } from '../check/forbidden-scheme.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { messageTexts } from '../compose/message-texts.ts'
import { isCheapTemplate } from '../rendering/cheap-template.ts'
import { type NeededValues, neededValues, noAttributes } from '../rendering/needed-values.ts'
import {
  findTemplateFault,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  renderTemplate,
} from '../rendering/template-engine.ts'
import type { Recipient } from './compiled-push.ts'
import { holeFor } from './json-form.ts'

/** A text of the message that is a template. */
export interface PersonalText {
  field: string
  isLink: boolean
  text: string
  /** Undefined when it does not parse, although it did when the message was accepted. */
  template: ParsedTemplate | undefined
  /** It may be rendered where others wait for it. */
  isCheap: boolean
  needs: NeededValues
}

/** The message with a hole in the place of each template; a hole's name is its text's place in the list. */
export function takeOutTemplates(content: MessageContent): { content: MessageContent; texts: PersonalText[] } {
  const texts: PersonalText[] = []
  if (![...messageTexts(content)].some(({ text }) => isTemplate(text))) return { content, texts }
  const copy = structuredClone(content)
  for (const { field, text, isLink, holder, key } of messageTexts(copy)) {
    if (!isTemplate(text)) continue
    Reflect.set(holder, key, holeFor(String(texts.length)))
    texts.push(parseText({ field, isLink, text }))
  }
  return { content: copy, texts }
}

export function parseText(given: Pick<PersonalText, 'field' | 'isLink' | 'text'>): PersonalText {
  const { text } = given
  if (findTemplateFault(text) !== undefined)
    return { ...given, template: undefined, isCheap: true, needs: { attributes: noAttributes, promoCode: false } }
  const template = parseTemplate(text)
  return { ...given, template, isCheap: isCheapTemplate(template), needs: neededValues(template, text) }
}

export class RefusedText extends Error {}

/**
 * [sending.md#templates] What templates may ask for. `user.id` is the user's id, unless there is an attribute of that
 * name.
 */
export function scopeOf({
  userId,
  installationId,
  deviceType,
  attributes,
  promoCode,
  preferencesUrl,
}: Recipient): object {
  const user = Object.assign(Object.create(null), { id: userId }, attributes)
  for (const name in user) if (user[name] instanceof Date) user[name] = user[name].toISOString()
  const scope = Object.assign(Object.create(null), { user, userId, installationId, deviceType, promoCode })
  // Sealing takes time: only where a text asks for it.
  return preferencesUrl
    ? Object.defineProperty(scope, 'preferencesUrl', { get: preferencesUrl, enumerable: true })
    : scope
}

/** What may take long must have been written before (rendering/render-slow-texts.ts). */
export function renderText(personal: PersonalText, { written }: Recipient, scope: object): string {
  const { field, isLink, text, template, isCheap } = personal
  if (!template) throw new RefusedText(`"${field}" is not a template any more`)
  const known = written?.get(text)
  if (!known && !isCheap) throw new Error(`"${field}" has to be written apart.`)
  const rendered = known ?? renderTemplate(template, scope)
  if ('fault' in rendered) throw new RefusedText(`"${field}": ${rendered.fault}`)
  const scheme = isLink ? forbiddenScheme(rendered.text) : undefined
  if (scheme !== undefined) throw new RefusedText(`"${field}" became a ${scheme}: link`)
  return rendered.text
}
