import type { DetailCode } from '@peyk/contract'

/** What explains where a delivery is: a code of our own, or the words of somebody else, such as a provider. */
export interface Detail {
  detail?: string
  detailCode?: DetailCode
  /** The provider that the code speaks of. */
  detailProvider?: string
}

const sentences: Record<DetailCode, string> = {
  token: 'its token is one of {provider}',
  'no-token': 'the installation has no push token',
  'no-credentials': 'the app has no credentials for {provider}',
  'notifications-off': 'notifications are not allowed on the device',
  'not-in-channel': 'the installation is not subscribed to the channel',
  'promo-withheld': 'the app gives no promo codes to guests, or to installations that are this new',
  silent: 'it is silent: no notification',
  'in-app': 'it is for the open app',
  'live-open': 'it is live and the app is open',
  'live-closed': 'a live message goes to installations with the app open only',
  'connected-first': 'it is connected; {provider} follows if it does not acknowledge',
  'connected-only': 'it is connected, and no provider reaches it',
  'time-passed': 'the local time of its user had passed when the message was sent',
  'uninstalled-before': 'uninstalled before it was sent',
  'other-user': 'another user is logged in by now',
  'too-large-for-client': 'it is larger than the client takes',
  'client-gone': 'it is live, and the client was gone',
  'ends-in-quiet-hours': 'it would have expired before the quiet hours ended',
  'own-control': 'the user is in the control group of this message',
  'ends-before-winner': 'it would have expired before the winner of its test was known',
}

/** A code in words. */
export function describeCode(code: DetailCode, provider = 'the provider'): string {
  return sentences[code].replace('{provider}', provider)
}

/** The words of a detail, whoever's they are. */
export function describeDetail({ detail, detailCode, detailProvider }: Detail): string | undefined {
  return detailCode === undefined ? detail : describeCode(detailCode, detailProvider)
}

export interface DetailColumns {
  detail: string | null
  detail_code: DetailCode | null
  detail_provider: string | null
}

export function readDetail({ detail, detail_code, detail_provider }: DetailColumns): Detail {
  return {
    ...(detail !== null && { detail }),
    ...(detail_code !== null && { detailCode: detail_code }),
    ...(detail_provider !== null && { detailProvider: detail_provider }),
  }
}
