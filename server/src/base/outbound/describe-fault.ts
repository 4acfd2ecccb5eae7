const plainWords: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset by the other side',
  ECONNABORTED: 'the connection was broken off',
  EPIPE: 'the other side closed the connection',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be resolved: the name server does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached from here',
  EMFILE: 'this machine has too many open files',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted: it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted: its issuer is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted: its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is not trusted: its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted: its issuer is not known',
  CERT_HAS_EXPIRED: 'the certificate is not trusted: it has expired',
  CERT_NOT_YET_VALID: 'the certificate is not trusted: it is not valid yet',
  CERT_REVOKED: 'the certificate is not trusted: it was revoked',
  CERT_UNTRUSTED: 'the certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is not trusted: it is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other side does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the other side does not speak TLS',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the other side speaks neither HTTP/2 nor HTTP/1.1',
  ERR_HTTP2_ERROR: 'the other side does not keep to HTTP/2',
  EPROTO: 'the TLS handshake failed',
}

/** Why a host was not reached, as far as it makes a difference to who has to mend it. */
export type NetworkFault = 'name-not-found' | 'connection-refused' | 'timed-out' | 'certificate' | 'network'

const faultCodes: Record<string, NetworkFault> = {
  ENOTFOUND: 'name-not-found',
  EAI_AGAIN: 'name-not-found',
  ECONNREFUSED: 'connection-refused',
  ETIMEDOUT: 'timed-out',
}

const otherWords: Record<string, NetworkFault> = {
  'the other side does not answer in HTTP/2': 'timed-out',
  'no connection had room in time': 'timed-out',
  'no answer in time': 'timed-out',
  'no answer to a ping': 'timed-out',
  'the connection was closed': 'network',
}

const wordsOfFaults = new Map<string, NetworkFault>([
  ...Object.entries(plainWords).map(([code, words]): [string, NetworkFault] => [
    words,
    faultCodes[code] ?? (words.startsWith('the certificate') ? 'certificate' : 'network'),
  ]),
  ...Object.entries(otherWords),
])

/** The fault that these words of ours tell; undefined when they are somebody else's, such as a provider's answer. */
export function faultInWords(words: string): NetworkFault | undefined {
  const plain = words.replace(/^no access token from Google: /, '').replace(/\.$/, '')
  if (/^no (connection|answer) within [0-9.]+ s$/.test(plain)) return 'timed-out'
  if (/^the host \S+ could not be resolved$/.test(plain)) return 'name-not-found'
  return plain.startsWith('the TLS handshake failed') ? 'network' : wordsOfFaults.get(plain)
}

/** What went wrong on the network, in words for the person who reads a log or a report on credentials. */
export function describeFault(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeFault(error.errors[0])
  if (!(error instanceof Error)) return 'the connection was closed'
  const code = (error as NodeJS.ErrnoException).code
  const known = code === undefined ? undefined : plainWords[code]
  if (known !== undefined) return known
  if (code?.startsWith('ERR_SSL_')) return `the TLS handshake failed: ${firstLine(error.message)}`
  if (code?.startsWith('HPE_')) return 'the other side does not speak HTTP'
  return firstLine(error.message)
}

function firstLine(text: string): string {
  return text.slice(0, 200).split('\n', 1)[0] as string
}
