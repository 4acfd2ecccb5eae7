import { isKeyOf } from '#parts/is-key-of.ts'
import { Quote } from '#parts/Quote.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'

/** What came of a call: the status, or in whose words there was no answer. */
export function WebhookAnswer({ status, detail }: { status?: number | undefined; detail: string }) {
  const words = useTexts().settings.webhooks
  if (status === undefined) {
    return (
      <>
        {words.unanswered} <Quote>{detail}</Quote>
      </>
    )
  }
  return sayStatus(status, words)
}

type Words = ReturnType<typeof useTexts>['settings']['webhooks']

export function sayEvent(event: string, { eventNames }: Words): string {
  return isKeyOf(eventNames, event) ? eventNames[event] : event
}

export function sayStatus(status: number, words: Words): string {
  return status >= 300 && status < 400 ? words.redirected(String(status)) : words.answered(String(status))
}
