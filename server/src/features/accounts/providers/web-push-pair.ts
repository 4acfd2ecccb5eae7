import { RequestError } from '#base/errors.ts'
import { readText } from '../credential-formats/read-fields.ts'
import {
  createWebPushCredentials,
  readWebPushCredentials,
  type WebPushCredentials,
} from '../credential-formats/web-push.ts'

/** The pair an app has already. Its private half is missing when it cannot be opened here. */
export interface KnownPair {
  publicKey: string
  credentials: WebPushCredentials | undefined
}

/**
 * Without keys an app keeps the pair it has, or gets a new one. A pair is never changed by mistake: every subscription
 * is bound to it, and with another pair all of them are dead.
 */
export function readWebPushPair(
  sent: Record<string, unknown>,
  known: KnownPair | undefined,
  replace: boolean,
): WebPushCredentials {
  const subject = sent.subject ?? known?.credentials?.subject
  if (sent.publicKey !== undefined || sent.privateKey !== undefined) {
    const given = readWebPushCredentials({ publicKey: sent.publicKey, privateKey: sent.privateKey, subject })
    if (known && known.publicKey !== given.publicKey && !replace) throw wouldReplace()
    return given
  }
  if (known && !replace) {
    if (!known.credentials) throw wouldReplace('The pair that this app has cannot be opened here. ')
    return readWebPushCredentials({ ...known.credentials, subject })
  }
  return createWebPushCredentials(readText({ subject }, 'subject', 'mailto:you@example.com or https://example.com'))
}

function wouldReplace(before = ''): RequestError {
  return new RequestError(
    'already-exists',
    `${before}This app already has a key pair, and every web push subscription is bound to it: another pair ends all of them until the browsers subscribe again. Say replace if that is meant.`,
    { details: { what: 'key-pair' } },
  )
}
