import { RequestError } from '#base/errors.ts'
import type { External } from '#base/external.ts'
import { checkOutbound } from '#base/outbound/check-outbound.ts'

const localHosts = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Where a webhook's call goes, or why it must not. Asked when the URL is set and again before every call. */
export async function guardWebhookUrl(external: External, url: string) {
  const localOrigins = localOriginsFor(external, url)
  return { ...(await checkOutbound(url, { localOrigins, isAnyPortAllowed: true })), localOrigins }
}

/** On this machine only in development, where a newcomer tries webhooks with a server of their own. */
function localOriginsFor(external: External, url: string): readonly string[] {
  if (!external.webhooksMayBeLocal || !URL.canParse(url)) return []
  const { hostname, origin } = new URL(url)
  return localHosts.test(hostname) ? [origin] : []
}

export async function checkWebhookUrl(external: External, url: string): Promise<void> {
  const guarded = await guardWebhookUrl(external, url)
  if ('refused' in guarded) {
    throw new RequestError('invalid-request', `"url": ${guarded.refused}`, { details: { field: 'url' } })
  }
}
