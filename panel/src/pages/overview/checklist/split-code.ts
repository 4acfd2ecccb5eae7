export interface CodePart {
  text: string
  kind: 'plain' | 'string' | 'comment'
}

const marked = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(\/\/[^\n]*)/g

/** Code as it is drawn: strings and comments apart from the rest. Put together again it is what it was. */
export function splitCode(code: string): CodePart[] {
  const parts: CodePart[] = []
  let from = 0
  for (const match of code.matchAll(marked)) {
    parts.push({ text: code.slice(from, match.index), kind: 'plain' })
    parts.push({ text: match[0], kind: match[1] === undefined ? 'comment' : 'string' })
    from = match.index + match[0].length
  }
  parts.push({ text: code.slice(from), kind: 'plain' })
  return parts.filter(({ text }) => text !== '')
}
