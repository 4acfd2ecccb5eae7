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
    const name = variable === undefined ? (tag ?? '').trim() : nameOf(variable)
    pieces.push({ kind: 'variable', text: name === '' ? whole : name })
    end = found.index + whole.length
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

/** Without its filters, and without "user." or "values.": the name as people know it. */
function nameOf(expression: string): string {
  const path = (expression.split('|')[0] ?? '').trim()
  const [, quoted] = /^user\[\s*(?:"([^"]*)"|'[^']*')\s*\]$/.exec(path) ?? []
  return quoted ?? path.replace(/^(user|values)\./, '').replace(/^user\['(.*)'\]$/, '$1')
}
