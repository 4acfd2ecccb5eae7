import { RequestError } from '#base/errors.ts'
import { readApnsCredentials } from '../credential-formats/apns.ts'
import type { CredentialsOf } from '../credential-formats/credentials.ts'
import { readFcmCredentials } from '../credential-formats/fcm.ts'
import { readObject } from '../credential-formats/read-fields.ts'
import { readSmsCredentials } from '../credential-formats/sms.ts'
import type { CredentialProvider } from './stored-provider.ts'
import { type KnownPair, readWebPushPair } from './web-push-pair.ts'

export interface SentOptions {
  simulated: boolean
  force: boolean
  replace: boolean
}

export interface SentCredentials<P extends CredentialProvider> {
  credentials: CredentialsOf[P]
  options: SentOptions
}

type Sent = Record<string, unknown>

const readers: {
  [P in CredentialProvider]: (sent: Sent, known: KnownPair | undefined, options: SentOptions) => CredentialsOf[P]
} = {
  fcm: (sent) => readFcmCredentials(sent.file ?? sent),
  apns: (sent) => readApnsCredentials(sent),
  webpush: (sent, known, { replace }) => readWebPushPair(sent, known, replace),
  sms: (sent) => readSmsCredentials(sent.file ?? sent),
}

/** Reads what was sent for a provider: its fields, and beside them `simulated`, `force` and `replace`. */
export function readCredentials<P extends CredentialProvider>(
  provider: P,
  body: unknown,
  known: KnownPair | undefined,
): SentCredentials<P> {
  const sent = readObject(body, 'the credentials')
  const options = {
    simulated: readFlag(sent, 'simulated'),
    force: readFlag(sent, 'force'),
    replace: readFlag(sent, 'replace'),
  }
  return { credentials: readers[provider](sent, known, options), options }
}

/** [requests.md#bodies] */
function readFlag(sent: Sent, name: string): boolean {
  const value = sent[name]
  if (value === true || value === 'true' || value === 1 || value === '1') return true
  if (value === undefined || value === null || value === false || value === 'false' || value === 0 || value === '0')
    return false
  throw new RequestError('invalid-request', `"${name}": expected true or false.`, { details: { field: name } })
}
