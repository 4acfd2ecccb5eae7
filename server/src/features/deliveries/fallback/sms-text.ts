import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import { parseText, RefusedText, renderText, scopeOf } from '../../messages/payloads/personal-texts.ts'
import { findTemplateFault, isTemplate, type Rendered } from '../../messages/rendering/template-engine.ts'
import { isApartNeeded, writeApart } from '../../messages/rendering/write-apart.ts'

export interface SmsText {
  needsPromoCode: boolean
  /** Whether `writeApart` has to be awaited before `write` for this recipient. */
  isApartNeeded(recipient: Recipient): boolean
  writeApart(appId: number, recipient: Recipient): Promise<void>
  write(recipient: Recipient): Rendered
}

/** The text of an SMS, which may be a template like the other texts of a message [choice 32]. */
export function readSmsText(text: string): SmsText {
  if (!isTemplate(text)) return alwaysSame({ text })
  const fault = findTemplateFault(text)
  if (fault !== undefined) return alwaysSame({ fault })
  const personal = parseText({ field: 'fallback.content', isLink: false, text })
  return {
    needsPromoCode: personal.needs.promoCode,
    isApartNeeded: (recipient) => isApartNeeded([personal], [recipient]),
    writeApart: (appId, recipient) => writeApart(appId, [personal], [recipient]),
    write(recipient) {
      try {
        return { text: renderText(personal, recipient, scopeOf(recipient)) }
      } catch (error) {
        if (error instanceof RefusedText) return { fault: error.message }
        throw error
      }
    },
  }
}

function alwaysSame(rendered: Rendered): SmsText {
  return { needsPromoCode: false, isApartNeeded: () => false, writeApart: async () => undefined, write: () => rendered }
}
