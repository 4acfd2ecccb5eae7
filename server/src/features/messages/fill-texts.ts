import type { MessageContent } from './compose-message.ts'
import { messageTexts } from './message-texts.ts'
import type { Recipient } from './payloads/compiled-push.ts'
import { RefusedText, renderText, scopeOf } from './payloads/personal-texts.ts'
import { findTemplateFault, globalsOf, isTemplate, parseTemplate } from './template-engine.ts'

export interface FilledText {
  field: string
  text?: string
  fault?: string
  needsPromoCode: boolean
}

/** A message with its templates written for somebody, and what became of each of them. One that fails stays as it is. */
export function fillTexts(
  content: MessageContent,
  recipient: Recipient,
): { content: MessageContent; texts: FilledText[] } {
  const copy = structuredClone(content)
  const scope = scopeOf(recipient)
  const texts: FilledText[] = []
  const found = [...messageTexts(copy)]
  if (copy.fallback) {
    found.push({
      field: 'fallback.content',
      text: copy.fallback.content,
      isLink: false,
      holder: copy.fallback,
      key: 'content',
    })
  }
  for (const { field, text, isLink, holder, key } of found) {
    if (!isTemplate(text)) continue
    const filled = fill(field, text, isLink, scope)
    texts.push(filled)
    if (filled.text !== undefined) Reflect.set(holder, key, asPlainText(filled.text))
  }
  return { content: copy, texts }
}

function fill(field: string, text: string, isLink: boolean, scope: object): FilledText {
  const fault = findTemplateFault(text)
  if (fault !== undefined) return { field, fault, needsPromoCode: false }
  const template = parseTemplate(text)
  const needsPromoCode = globalsOf(template)?.has('promoCode') ?? text.includes('promoCode')
  try {
    const rendered = renderText({ field, isLink, template, needsAttributes: true, needsPromoCode }, scope)
    return { field, text: rendered, needsPromoCode }
  } catch (error) {
    if (error instanceof RefusedText) return { field, fault: error.message, needsPromoCode }
    throw error
  }
}

/** An attribute may hold what looks like a template; it is not one of the sender's, so it must not be run as one. */
function asPlainText(text: string): string {
  return text.replaceAll(/\{(?=[{%])/g, '{\u2060')
}
