import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import { parseText, RefusedText, renderText, scopeOf } from '../../messages/payloads/personal-texts.ts'
import { needsSlowTexts, renderSlowTexts } from '../../messages/rendering/render-slow-texts.ts'
import { findTemplateFault, isTemplate, type Rendered } from '../../messages/rendering/template-engine.ts'
import { sayTemplateFault } from '../../messages/rendering/template-fault.ts'

export interface SmsText {
  needsPromoCode: boolean
  /** Whether `renderSlowTexts` has to be awaited before `write` for this recipient. */
  needsSlowTexts(recipient: Recipient): boolean
  renderSlowTexts(appId: number, recipient: Recipient): Promise<void>
  write(recipient: Recipient): Rendered
}

/** The text of an SMS, which may be a template like the other texts of a message [sending.md#templates]. */
export function readSmsText(text: string): SmsText {
  if (!isTemplate(text)) return alwaysSame({ text })
  const fault = findTemplateFault(text)
  if (fault) return alwaysSame({ fault: sayTemplateFault(fault) })
  const personal = parseText({ field: 'fallback.content', isLink: false, text })
  return {
    needsPromoCode: personal.needs.promoCode,
    needsSlowTexts: (recipient) => needsSlowTexts([personal], [recipient]),
    renderSlowTexts: (appId, recipient) => renderSlowTexts(appId, [personal], [recipient]),
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
  return {
    needsPromoCode: false,
    needsSlowTexts: () => false,
    renderSlowTexts: async () => undefined,
    write: () => rendered,
  }
}
