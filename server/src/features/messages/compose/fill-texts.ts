import type { TemplateFault } from '@peyk/contract'
import type { Recipient } from '../payloads/compiled-push.ts'
import { parseText, RefusedText, renderText, scopeOf } from '../payloads/personal-texts.ts'
import { renderSlowTexts } from '../rendering/render-slow-texts.ts'
import { findTemplateFault, isTemplate } from '../rendering/template-engine.ts'
import { sayTemplateFault } from '../rendering/template-fault.ts'
import type { MessageContent } from './compose-message.ts'
import { textsAndSms } from './message-texts.ts'

export interface FilledText {
  field: string
  text?: string
  fault?: string
  /** When it is not a template at all. */
  reason?: TemplateFault
  needsPromoCode: boolean
}

/** A message with its templates written for somebody, and what became of each of them. One that fails stays as it is. */
export async function fillTexts(
  appId: number,
  content: MessageContent,
  recipient: Recipient,
): Promise<{ content: MessageContent; texts: FilledText[] }> {
  const copy = structuredClone(content)
  const texts: FilledText[] = []
  for (const { field, text, isLink, holder, key } of [...textsAndSms(copy)]) {
    if (!isTemplate(text)) continue
    const filled = await fill(appId, { field, text, isLink }, recipient)
    texts.push(filled)
    if (filled.text !== undefined) Reflect.set(holder, key, asPlainText(filled.text))
  }
  return { content: copy, texts }
}

async function fill(
  appId: number,
  given: { field: string; text: string; isLink: boolean },
  recipient: Recipient,
): Promise<FilledText> {
  const { field } = given
  const reason = findTemplateFault(given.text)
  if (reason) return { field, fault: sayTemplateFault(reason), reason, needsPromoCode: false }
  const personal = parseText(given)
  const needsPromoCode = personal.needs.promoCode
  await renderSlowTexts(appId, [personal], [recipient])
  try {
    return { field, text: renderText(personal, recipient, scopeOf(recipient)), needsPromoCode }
  } catch (error) {
    if (error instanceof RefusedText) return { field, fault: error.message, needsPromoCode }
    throw error
  }
}

/** An attribute may hold what looks like a template; it is not one of the sender's, so it must not be run as one. */
function asPlainText(text: string): string {
  return text.replaceAll(/\{(?=[{%])/g, '{\u2060')
}
