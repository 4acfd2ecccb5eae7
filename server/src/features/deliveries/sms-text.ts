import { scopeOf } from '../messages/payloads/personal-texts.ts'
import {
  findTemplateFault,
  globalsOf,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  type Rendered,
  renderTemplate,
} from '../messages/template-engine.ts'

export interface SmsText {
  needsPromoCode: boolean
  write(recipient: {
    userId: string
    attributes: Readonly<Record<string, unknown>>
    promoCode: string | undefined
  }): Rendered
}

/** The text of an SMS, which may be a template like the other texts of a message [choice 32]. */
export function readSmsText(text: string): SmsText {
  if (!isTemplate(text)) return { needsPromoCode: false, write: () => ({ text }) }
  const fault = findTemplateFault(text)
  if (fault !== undefined) return { needsPromoCode: false, write: () => ({ fault }) }
  const template = parseTemplate(text)
  return {
    needsPromoCode: asksForPromoCode(template, text),
    write: (recipient) => renderTemplate(template, scopeOf({ ...recipient, installationId: '', deviceType: '' })),
  }
}

function asksForPromoCode(template: ParsedTemplate, text: string): boolean {
  return globalsOf(template)?.has('promoCode') ?? text.includes('promoCode')
}
