import { type ReactNode, useState } from 'react'
import { show } from '../../testing/show.test-support.tsx'
import { type Draft, emptyDraft } from './draft/draft.ts'
import { type Sending, SendingContext } from './sending.ts'

interface ComposingProps {
  start: Draft
  onDraft(draft: Draft): void
  children: ReactNode
}

function Composing({ start, onDraft, children }: ComposingProps) {
  const [draft, setDraft] = useState(start)
  onDraft(draft)
  const sending: Sending = {
    draft,
    change: (changes) => setDraft((before) => ({ ...before, ...changes })),
    changeNotification: (changes) =>
      setDraft((before) => ({ ...before, notification: { ...before.notification, ...changes } })),
    language: undefined,
    showLanguage: () => undefined,
    removeLanguage: () => undefined,
    variant: 0,
    showVariant: () => undefined,
    faultOf: () => undefined,
    renderedOf: () => undefined,
    wanted: [],
    sample: undefined,
  }
  return <SendingContext value={sending}>{children}</SendingContext>
}

/** Shows a part of the Send page with a draft, which it may change. */
export async function compose(part: ReactNode, changes: Partial<Draft> = {}, options: Parameters<typeof show>[1] = {}) {
  let draft: Draft = { ...emptyDraft, ...changes }
  const keep = (next: Draft) => {
    draft = next
  }
  const shown = await show(
    <Composing start={draft} onDraft={keep}>
      {part}
    </Composing>,
    options,
  )
  return { ...shown, draft: () => draft }
}
