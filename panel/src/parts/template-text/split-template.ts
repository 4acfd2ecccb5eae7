/** A piece of a text with templates: words as they are, or the name of what differs from user to user. */
export interface Piece {
  kind: 'words' | 'variable'
  text: string
}

const template = /\{\{-?([\s\S]*?)-?\}\}|\{%-?([\s\S]*?)-?%\}/g

/** `Hello {{ user.firstName | default: "friend" }}` is the words "Hello " and the variable "firstName". */
export function splitTemplate(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const found of text.matchAll(template)) {
    if (found.index > end) pieces.push({ kind: 'words', text: text.slice(end, found.index) })
    const [whole, variable, tag] = found
    end = found.index + whole.length
    const fixed = fixedText(variable)
    if (fixed !== undefined) {
      pieces.push({ kind: 'words', text: fixed })
      continue
    }
    const name = variable === undefined ? (tag ?? '').trim() : nameOf(variable)
    pieces.push({ kind: 'variable', text: name === '' ? whole : name })
  }
  if (end < text.length) pieces.push({ kind: 'words', text: text.slice(end) })
  return pieces
}

/** As plain text, each variable by its name. */
export function nameVariables(text: string): string {
  return splitTemplate(text)
    .map((piece) => (piece.kind === 'words' ? piece.text : `[${piece.text}]`))
    .join('')
}

/** The service writes a text that looks like a template as `{{ "\u007b…" }}`: it is the same for everybody. */
function fixedText(expression = ''): string | undefined {
  const [, written] = /^\s*"((?:[^"\\]|\\.)*)"\s*$/s.exec(expression) ?? []
  return written?.replace(/\\(?:u([\da-f]{4})|(.))/gs, (_, code, letter) =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Without its filters, and without "user." or "values.": the name as people know it. */
function nameOf(expression: string): string {
  const path = (expression.split('|')[0] ?? '').trim()
  const [, quoted] = /^user\[\s*(?:"([^"]*)"|'[^']*')\s*\]$/.exec(path) ?? []
  return quoted ?? path.replace(/^(user|values)\./, '').replace(/^user\['(.*)'\]$/, '$1')
}
