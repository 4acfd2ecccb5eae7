import type { MessageContent } from '../compose-message.ts'
import { forbiddenScheme } from '../forbidden-scheme.ts'
import { messageTexts } from '../message-texts.ts'
import {
  findTemplateFault,
  globalsOf,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  renderTemplate,
} from '../template-engine.ts'
import type { Recipient } from './compiled-push.ts'
import { holeFor } from './json-form.ts'

/** A text of the message that is a template. */
export interface PersonalText {
  field: string
  isLink: boolean
  /** Undefined when it does not parse, although it did when the message was accepted. */
  template: ParsedTemplate | undefined
  needsAttributes: boolean
  needsPromoCode: boolean
}

/** The message with a hole in the place of each template; a hole's name is its text's place in the list. */
export function takeOutTemplates(content: MessageContent): { content: MessageContent; texts: PersonalText[] } {
  const texts: PersonalText[] = []
  if (![...messageTexts(content)].some(({ text }) => isTemplate(text))) return { content, texts }
  const copy = structuredClone(content)
  for (const { field, text, isLink, holder, key } of messageTexts(copy)) {
    if (!isTemplate(text)) continue
    Reflect.set(holder, key, holeFor(String(texts.length)))
    texts.push({ field, isLink, ...parse(text) })
  }
  return { content: copy, texts }
}

function parse(text: string): Omit<PersonalText, 'field' | 'isLink'> {
  const template = findTemplateFault(text) === undefined ? parseTemplate(text) : undefined
  const globals = template && globalsOf(template)
  return {
    template,
    needsAttributes: globals?.has('user') ?? true,
    needsPromoCode: globals?.has('promoCode') ?? text.includes('promoCode'),
  }
}

export class RefusedText extends Error {}

/** [choice 32] What templates may ask for. `user.id` is the user's id, unless there is an attribute of that name. */
export function scopeOf({ userId, installationId, deviceType, attributes, promoCode }: Recipient): object {
  const user = Object.assign(Object.create(null), { id: userId }, attributes)
  for (const name in user) if (user[name] instanceof Date) user[name] = user[name].toISOString()
  return Object.assign(Object.create(null), { user, userId, installationId, deviceType, promoCode })
}

export function renderText({ field, isLink, template }: PersonalText, scope: object): string {
  if (!template) throw new RefusedText(`"${field}" is not a template any more`)
  const rendered = renderTemplate(template, scope)
  if ('fault' in rendered) throw new RefusedText(`"${field}": ${rendered.fault}`)
  const scheme = isLink ? forbiddenScheme(rendered.text) : undefined
  if (scheme !== undefined) throw new RefusedText(`"${field}" became a ${scheme}: link`)
  return rendered.text
}
