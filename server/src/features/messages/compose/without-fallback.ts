import type { AnyNotification, Contents } from '@peyk/contract'

/** [choice 29] An SMS goes to named users only: what is sent to others brings none, in any language. */
export function withoutFallback<Sent extends Pick<AnyNotification, 'fallback' | 'contents'>>(
  sent: Sent,
): Omit<Sent, 'fallback'> {
  const { fallback: _personalOnly, ...message } = sent
  const contents: Contents | undefined = sent.contents
  if (!contents) return message
  const left = Object.entries(contents).flatMap(([language, { fallback, ...texts }]) =>
    Object.keys(texts).length > 0 || !fallback ? [[language, texts] as const] : [],
  )
  return { ...message, contents: left.length > 0 ? Object.fromEntries(left) : undefined }
}
