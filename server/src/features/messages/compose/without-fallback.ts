import type { AnyNotification, Contents, Variant } from '@peyk/contract'

/** [sending.md#sms-fallback] An SMS goes to named users only: what is sent to others brings none, in any wording. */
export function withoutFallback<Sent extends Pick<AnyNotification, 'fallback' | 'contents' | 'variants'>>(
  sent: Sent,
): Omit<Sent, 'fallback'> {
  const { fallback: _personalOnly, ...message } = sent
  const { contents, variants }: { contents?: Contents; variants?: Variant[] } = sent
  return {
    ...message,
    ...(contents && { contents: withoutSms(contents) }),
    ...(variants && {
      variants: variants.map(({ fallback: _sms, contents: own, ...texts }) => {
        const left = own && withoutSms(own)
        return { ...texts, ...(left && { contents: left }) }
      }),
    }),
  }
}

function withoutSms(contents: Contents): Contents | undefined {
  const left = Object.entries(contents).flatMap(([language, { fallback, ...texts }]) =>
    Object.keys(texts).length > 0 || !fallback ? [[language, texts] as const] : [],
  )
  return left.length > 0 ? Object.fromEntries(left) : undefined
}
