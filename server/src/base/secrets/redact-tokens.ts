const named = /(access_token(?:=|%(?:25)*3d))[^&;/?#\s"]*/gi
/** Any hex run that may contain a token, including hashes and push tokens: a longer run may begin or end with one. */
const anyToken = /(?<![0-9a-f])[0-9a-f]{40,}/gi
const escaped = /\\u00([0-9a-f]{2})/gi
const stand = '[redacted]'
const mostTimes = 4
const gluedLength = 16

/** Removes everything from a text that has the form of an access token. */
export function redactHex(text: string): string {
  return text.replace(anyToken, stand)
}

/**
 * Removes access tokens from a path or a message, wherever they are: clients use a wrong separator, put tokens into the
 * path, or encode them twice.
 */
export function redactTokens(text: string): string {
  const plain = redactPlain(text)
  if (!plain.includes('%')) return plain
  const decoded = decodeWholly(plain)
  const redacted = redactPlain(decoded)
  return redacted === decoded ? plain : redacted
}

/** Finds everything in an address or header that has the form of an access token, however it is encoded. */
export function findTokens(texts: readonly string[]): string[] {
  return texts.flatMap((text) => findHex(decodeWholly(text)))
}

/** The same for a body, which may be long: JSON or a form. */
export function findTokensOfBody(text: string): string[] {
  const plain = text.includes('\\u00') ? text.replace(escaped, (_, code: string) => readCode(code)) : text
  return [...findHex(plain), ...(plain.includes('%') ? findHex(decodeOnce(plain)) : [])]
}

function findHex(text: string): string[] {
  return (text.match(anyToken) ?? []).map((token) => token.toLowerCase())
}

/** Removes tokens from all strings of a value, and pieces of the given ones, because messages are cut to a length. */
export function redactValue(value: unknown, tokens: readonly string[]): unknown {
  if (typeof value === 'string') return redactPieces(redactTokens(value), tokens)
  if (Array.isArray(value)) return value.map((part) => redactValue(part, tokens))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redactPieces(redactTokens(name), tokens), redactValue(part, tokens)]),
  )
}

function redactPieces(text: string, tokens: readonly string[]): string {
  if (tokens.length === 0) return text
  // A shorter piece does not help anybody guess the rest.
  return text.replace(/[0-9a-f]{8,}/gi, (run) => (isPiece(run.toLowerCase(), tokens) ? stand : run))
}

/** Other hex digits may directly precede or follow a piece. */
function isPiece(run: string, tokens: readonly string[]): boolean {
  return tokens.some(
    (token) =>
      token.includes(run) || run.includes(token.slice(0, gluedLength)) || run.includes(token.slice(-gluedLength)),
  )
}

function redactPlain(text: string): string {
  return redactHex(text.replace(named, `$1${stand}`))
}

/** Decodes byte by byte, ignoring the character set: only tokens matter, and unprintable bytes are dropped. */
function decodeWholly(text: string): string {
  let decoded = text
  for (let times = 0; times < mostTimes && decoded.includes('%'); times++) {
    decoded = decodeOnce(decoded)
  }
  return decoded.replace(/\p{Cc}/gu, '')
}

function decodeOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => readCode(code))
}

function readCode(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}
