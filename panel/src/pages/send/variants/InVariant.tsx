import type { ReactNode } from 'react'
import type { Draft } from '../draft/draft.ts'
import type { DraftTexts } from '../draft/draft-texts.ts'
import { type Sending, SendingContext, useSending } from '../sending.ts'
import { changeVariant, variantDraft } from './draft-variants.ts'

/** The page as the fields of a variant see it: its texts stand where those of the message do. */
export function InVariant({ children }: { children: ReactNode }) {
  const outer = useSending()
  return <SendingContext value={outer.variant === 0 ? outer : ofVariant(outer)}>{children}</SendingContext>
}

function ofVariant(outer: Sending): Sending {
  const { variant, draft } = outer
  const set = (changes: Parameters<typeof changeVariant>[2]) => outer.change(changeVariant(draft, variant, changes))
  return {
    ...outer,
    draft: variantDraft(draft, variant),
    change: ({ content, alertText, languages }) =>
      set({
        texts: { ...(content !== undefined && { content }), ...(alertText !== undefined && { alertText }) },
        ...(languages && { languages }),
      }),
    changeNotification: (changes) => set({ texts: textsIn(changes) }),
    faultOf: (field) => outer.faultOf(`variants[${variant}].${field}`),
  }
}

function textsIn({ title, body, clickUrl, mediaUrl }: Partial<Draft['notification']>): Partial<DraftTexts> {
  const given = Object.entries({ title, body, clickUrl, mediaUrl }).filter(([, text]) => text !== undefined)
  return Object.fromEntries(given)
}
