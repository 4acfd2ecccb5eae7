const named = /(access_token(?:=|%(?:25)*3d))[^&;/?#\s"]*/gi
const anyToken = /(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/gi
const stand = '[redacted]'
const mostTimes = 4

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

function redactPlain(text: string): string {
  return text.replace(named, `$1${stand}`).replace(anyToken, stand)
}

/** Byte by byte, whatever they stand for: only tokens are looked for, and what cannot be shown is left out. */
function decodeWholly(text: string): string {
  let decoded = text
  for (let times = 0; times < mostTimes && decoded.includes('%'); times++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
  return decoded.replace(/\p{Cc}/gu, '')
}
