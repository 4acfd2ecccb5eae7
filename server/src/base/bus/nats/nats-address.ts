export interface NatsAddress {
  /** `host:port`, without secrets. */
  servers: string[]
  user?: string
  pass?: string
  token?: string
  isTls: boolean
}

/**
 * Reads `nats://user:password@one:4222,two:4222`, or addresses with commas between them; `tls://` for TLS. A name without a
 * password is a token. Undefined when it is none of these.
 */
export function readNatsAddress(text: string): NatsAddress | undefined {
  const [scheme, rest] = text.split('://', 2) as [string, string?]
  const parts = (rest === undefined ? '' : text.slice(scheme.length + 3)).split(',').map((part) => part.trim())
  const urls = parts.map((part) => URL.parse(`http://${part.replace(/^[a-z]+:\/\//, '')}`))
  const areHosts = urls.every((url) => url !== null && url.hostname !== '' && /^\/?$/.test(url.pathname + url.search))
  if (!['nats', 'tls'].includes(scheme) || !areHosts) return undefined
  const known = urls as URL[]
  const named = known.find(({ username }) => username !== '')
  const user = decodeURIComponent(named?.username ?? '')
  const pass = decodeURIComponent(named?.password ?? '')
  return {
    servers: known.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    isTls: scheme === 'tls',
  }
}
