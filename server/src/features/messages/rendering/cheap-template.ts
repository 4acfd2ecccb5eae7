import { type Arguments, type Template, type Token, TokenKind, Value } from 'liquidjs'
import type { Recipient } from '../payloads/compiled-push.ts'

type Argument = Arguments extends Iterable<infer A> ? A : never

/** Their work grows with the text they are given, and no faster. */
const cheapFilters = new Set([
  ...[
    'append',
    'prepend',
    'upcase',
    'downcase',
    'capitalize',
    'strip',
    'lstrip',
    'rstrip',
    'escape',
    'default',
    'size',
  ],
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'round', 'ceil', 'floor', 'abs', 'at_least', 'at_most'],
  ...['truncate', 'truncatewords', 'slice', 'first', 'last', 'url_encode', 'newline_to_br', 'strip_newlines'],
])
const cheapTags = new Set(['if', 'unless', 'case', 'echo', 'comment', 'raw', '#'])
const cheapTokens = new Set([TokenKind.Number, TokenKind.Literal, TokenKind.Word, TokenKind.Quoted, TokenKind.Operator])
/** What a cheap template is given; for more than that it is rendered apart like others. */
const maxCheapCharacters = 16_384

/** Whether rendering it takes a time in proportion to its length: no loops, no lists, nothing that grows. */
export function isCheapTemplate(templates: readonly Template[]): boolean {
  return templates.every((template) => {
    if ('name' in template && !cheapTags.has(String(template.name))) return false
    return [...(template.arguments?.() ?? [])].every(isCheapArgument) && isCheapTemplate(childrenOf(template))
  })
}

/** Attributes that a cheap template can be rendered with here: short, and no lists. */
export function isCheapRecipient({ attributes }: Recipient): boolean {
  let characters = 0
  for (const name in attributes) {
    const value = attributes[name]
    if (typeof value === 'object' && value !== null && !(value instanceof Date)) return false
    if (typeof value === 'string') characters += value.length
  }
  return characters <= maxCheapCharacters
}

/** What stands within a tag. */
export function childrenOf(template: Template): Template[] {
  const children = template.children?.(false, true)
  // A generator that waits for nothing here: there are no partials.
  const { value } = children?.next() ?? { value: [] }
  return (value ?? []) as Template[]
}

function isCheapArgument(argument: Argument): boolean {
  if (!(argument instanceof Value)) return isCheapToken(argument)
  const { initial, filters } = argument
  return (
    initial.postfix.every(isCheapToken) &&
    filters.every(({ name, args }) => {
      const tokens = args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)) as (Token | undefined)[]
      return (cheapFilters.has(name) || isCheapDate(name, tokens)) && tokens.every(isCheapToken)
    })
  )
}

/** A format may ask for any number of characters, as in `%999999d`. */
function isCheapDate(name: string, [format, ...more]: (Token | undefined)[]): boolean {
  if (name !== 'date' || more.length > 0) return false
  return format === undefined || (format.kind === TokenKind.Quoted && !/%[^a-z%]*\d/i.test(format.getText()))
}

function isCheapToken(token: Token | undefined): boolean {
  if (token === undefined || cheapTokens.has(token.kind)) return true
  if (token.kind !== TokenKind.PropertyAccess) return false
  const { variable, props } = token as Token & { variable?: Token; props: Token[] }
  return isCheapToken(variable) && props.every(isCheapToken)
}
