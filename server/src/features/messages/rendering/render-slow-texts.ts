import type { Recipient } from '../payloads/compiled-push.ts'
import { type PersonalText, scopeOf } from '../payloads/personal-texts.ts'
import { isCheapRecipient } from './cheap-template.ts'
import { renderInChild } from './render-in-child.ts'

/** Whether some of the texts have to be written before the message can be rendered for these recipients. */
export function needsSlowTexts(texts: readonly PersonalText[], recipients: readonly Recipient[]): boolean {
  return texts.some((text) => text.template && recipients.some((recipient) => isApart(text, recipient)))
}

/** Writes in a process of its own what may take long, and gives it to the recipients. */
export async function renderSlowTexts(
  appId: number,
  texts: readonly PersonalText[],
  recipients: readonly Recipient[],
): Promise<void> {
  for (const text of texts) {
    if (!text.template) continue
    const apart = recipients.filter((recipient) => isApart(text, recipient))
    if (apart.length === 0) continue
    const rendered = await renderInChild(appId, text.text, apart.map(scopeOf))
    for (const [index, recipient] of apart.entries()) {
      recipient.written ??= new Map()
      recipient.written.set(text.text, rendered[index] as (typeof rendered)[number])
    }
  }
}

function isApart({ text, isCheap }: PersonalText, recipient: Recipient): boolean {
  return !recipient.written?.has(text) && !(isCheap && isCheapRecipient(recipient))
}
