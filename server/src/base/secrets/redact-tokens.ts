const named = /(access_token(?:=|%(?:25)*3d))[^&;/?#\s"]*/gi
/** Any run that may have a token in it, also hashes and push tokens: a longer run may begin or end with a token. */
const anyToken = /(?<![0-9a-f])[0-9a-f]{40,}/gi
const escaped = /\\u00([0-9a-f]{2})/gi
const stand = '[redacted]'
const mostTimes = 4
const gluedLength = 16

/** A text without anything that has the form of an access token. */
export function redactHex(text: string): string {
  return text.replace(anyToken, stand)
}

/**
 * A path or a message without access tokens, wherever they stand in it: clients put them behind a wrong sign, into the
 * path, or encode them twice.
 */
export function redactTokens(text: string): string {
  const plain = redactPlain(text)
  if (!plain.includes('%')) return plain
  const decoded = decodeWholly(plain)
  const redacted = redactPlain(decoded)
  return redacted === decoded ? plain : redacted
}

/** Everything in an address or a header that has the form of an access token, however it is encoded. */
export function findTokens(texts: readonly string[]): string[] {
  return texts.flatMap((text) => findHex(decodeWholly(text)))
}

/** The same in a body, which may be long: JSON or a form. */
export function findTokensOfBody(text: string): string[] {
  const plain = text.includes('\\u00') ? text.replace(escaped, (_, code: string) => readCode(code)) : text
  return [...findHex(plain), ...(plain.includes('%') ? findHex(decodeOnce(plain)) : [])]
}

function findHex(text: string): string[] {
  return (text.match(anyToken) ?? []).map((token) => token.toLowerCase())
}

/** The same value without tokens in any of its texts, and without pieces of the given ones: messages are cut to a length. */
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
  // A shorter piece does not help to guess the rest.
  return text.replace(/[0-9a-f]{8,}/gi, (run) => (isPiece(run.toLowerCase(), tokens) ? stand : run))
}

/** Other digits may stand right before or behind a piece. */
function isPiece(run: string, tokens: readonly string[]): boolean {
  return tokens.some(
    (token) =>
      token.includes(run) || run.includes(token.slice(0, gluedLength)) || run.includes(token.slice(-gluedLength)),
  )
}

function redactPlain(text: string): string {
  return redactHex(text.replace(named, `$1${stand}`))
}

/** Byte by byte, whatever they stand for: only tokens are looked for, and what cannot be shown is left out. */
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
