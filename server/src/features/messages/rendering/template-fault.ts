import type { TemplateFault } from '@peyk/contract'
import { closestWord } from '#base/closest-word.ts'

export interface KnownWords {
  tags: readonly string[]
  filters: readonly string[]
}

const shownCharacters = 40
/** Tags that only stand within others. */
const inner = /^(end\w+|else|elsif|when)$/

/** What the parser says of a text, as something that can be told to who wrote it. */
export function readParserFault(said: string, text: string, { tags, filters }: KnownWords): TemplateFault {
  const [, message = said, line, column] = /^(.*?), line:(\d+), col:(\d+)$/s.exec(said) ?? []
  const from = text.slice(offsetOf(text, Number(line ?? 1), Number(column ?? 1)))
  if (/^output .* not closed$/s.test(message)) return { code: 'output-not-closed', part: cut(from) }
  if (/^tag "?\{%.*" not closed$/s.test(message)) return { code: 'tag-not-closed', part: cut(from) }
  const block = /^(?:tag|raw) "?\{%-?\s*(\w+).* not closed$/s.exec(message)?.[1]
  if (block !== undefined) return { code: 'block-not-closed', part: block, suggestion: `end${block}` }
  const tag = /^tag "(.*)" not found$/s.exec(message)?.[1]
  if (tag !== undefined) {
    return inner.test(tag)
      ? { code: 'unmatched-tag', part: cut(tag) }
      : { code: 'unknown-tag', part: cut(tag), ...suggest(tag, tags) }
  }
  const filter = /^undefined filter: (.*)$/s.exec(message)?.[1]
  if (filter !== undefined) return { code: 'unknown-filter', part: cut(filter), ...suggest(filter, filters) }
  if (/^invalid value expression: ""$/.test(message)) return { code: 'empty-output' }
  if (/limit exceeded/.test(message)) return { code: 'too-long' }
  return { code: 'unreadable', ...(from !== '' && { part: cut(from) }) }
}

const sentences: Record<TemplateFault['code'], (part: string, suggestion: string) => string> = {
  'output-not-closed': (part) => `"${part}" is not closed; write }} where it ends`,
  'tag-not-closed': (part) => `"${part}" is not closed; write %} where it ends`,
  'block-not-closed': (part, suggestion) => `{% ${part} %} has no {% ${suggestion} %}`,
  'unknown-tag': (part, suggestion) => `there is no tag "${part}"${perhaps(suggestion)}`,
  'unmatched-tag': (part) => `{% ${part} %} belongs to no tag before it`,
  'unknown-filter': (part, suggestion) => `there is no filter "${part}"${perhaps(suggestion)}`,
  'empty-output': () => 'nothing is named between the brackets',
  'too-long': () => 'it is too long',
  unreadable: (part) => (part === '' ? 'it cannot be read to its end' : `it cannot be read from "${part}" on`),
}

function perhaps(suggestion: string): string {
  return suggestion && `; perhaps "${suggestion}" is meant`
}

/** In plain words, without a full stop. */
export function sayTemplateFault({ code, part = '', suggestion = '' }: TemplateFault): string {
  return sentences[code](part, suggestion)
}

function suggest(word: string, known: readonly string[]): { suggestion?: string } {
  const suggestion = closestWord(word, known)
  return suggestion === undefined ? {} : { suggestion }
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
}

function cut(part: string): string {
  const [first = ''] = part.trim().split('\n')
  return (first.length > shownCharacters ? `${first.slice(0, shownCharacters)}…` : first).toWellFormed()
}
