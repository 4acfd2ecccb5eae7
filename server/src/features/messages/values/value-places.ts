import { type Arguments, type Template, type Token, TokenKind, Value } from 'liquidjs'
import { childrenOf } from '../rendering/cheap-template.ts'
import { isTemplate, type ParsedTemplate, variablesOf } from '../rendering/template-engine.ts'

/** A place in a text that asks for `values.name`. */
export interface ValuePlace {
  name: string
  begin: number
  /** Where `values.name` ends. */
  end: number
  /** Where all of it ends, as in `values.name.size`. */
  accessEnd: number
  /** There is no fallback, and the text does not ask whether it is there. */
  isRequired: boolean
  /** What stands there instead, where that is fixed. */
  fallback?: string
}

type Argument = Arguments extends Iterable<infer A> ? A : never
type Access = Token & { variable?: Token; props: (Token & { content?: unknown })[] }
type Found = Pick<ValuePlace, 'isRequired' | 'fallback'> & { token: Access }

const root = 'values'
const valueName = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,63}$/u
const conditions = new Set(['if', 'unless', 'case'])

export function isValueName(name: string): boolean {
  return valueName.test(name)
}

/** Whether it is worth to look for them: parsing takes time. */
export function mayAskForValues(text: string): boolean {
  return isTemplate(text) && text.includes(root)
}

/**
 * Where a text asks for values, in the order of the text. Undefined when it does not say for which, as in `values[user.x]`. A
 * name that the text gives a meaning of its own, as `{% for values in … %}` does, is not one of them.
 */
export function findValuePlaces(template: ParsedTemplate): ValuePlace[] | undefined {
  const asked = new Set((variablesOf(template)?.[root] ?? []).map(({ location }) => `${location.row}:${location.col}`))
  if (asked.size === 0) return []
  const places: ValuePlace[] = []
  for (const { token, ...found } of findIn(template, new Set())) {
    if (!asked.delete(token.getPosition().join(':'))) continue
    const place = placeOf(token)
    if (!place) return undefined
    places.push({ ...place, ...found })
  }
  return asked.size > 0 ? undefined : places.sort((a, b) => a.begin - b.begin)
}

function placeOf(token: Access): Pick<ValuePlace, 'name' | 'begin' | 'end' | 'accessEnd'> | undefined {
  const [, second] = token.props
  if (typeof second?.content !== 'string' || !isValueName(second.content)) return undefined
  const isQuoted = second.kind === TokenKind.Quoted
  if (!isQuoted && second.kind !== TokenKind.Word) return undefined
  const end = isQuoted ? token.input.indexOf(']', second.end) + 1 : second.end
  return { name: second.content, begin: token.begin, end, accessEnd: token.end }
}

/** `guarded`: the names that a condition around it asks for. */
function* findIn(templates: readonly Template[], guarded: ReadonlySet<string>): Generator<Found> {
  for (const part of templates) {
    const isCondition = 'name' in part && conditions.has(String(part.name))
    const found = [...(part.arguments?.() ?? [])].flatMap((argument) => [...findInArgument(argument)])
    const names = new Set(guarded)
    for (const { token } of found) if (isCondition) names.add(nameOf(token))
    for (const each of found) yield { ...each, isRequired: each.isRequired && !names.has(nameOf(each.token)) }
    yield* findIn(childrenOf(part), names)
  }
}

function nameOf(token: Access): string {
  return placeOf(token)?.name ?? ''
}

function* findInArgument(argument: Argument): Generator<Found> {
  if (!(argument instanceof Value)) {
    for (const token of accessesIn(argument)) yield { token, isRequired: true }
    return
  }
  const { initial, filters } = argument
  const instead = filters.find(({ name }) => name === 'default')
  const fallback = fixedText(instead?.args[0])
  for (const token of initial.postfix.flatMap((each) => [...accessesIn(each)])) {
    yield { token, isRequired: !instead, ...(fallback !== undefined && { fallback }) }
  }
  const given = filters.flatMap(({ args }) => args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)))
  for (const token of given.flatMap((each) => [...accessesIn(each)])) yield { token, isRequired: true }
}

function fixedText(token: unknown): string | undefined {
  const { kind, content } = (token ?? {}) as { kind?: TokenKind; content?: unknown }
  return kind === TokenKind.Quoted || kind === TokenKind.Number ? String(content) : undefined
}

function* accessesIn(token: Token | undefined): Generator<Access> {
  if (token?.kind === TokenKind.Range) {
    const { lhs, rhs } = token as Token & { lhs: Token; rhs: Token }
    yield* accessesIn(lhs)
    yield* accessesIn(rhs)
  }
  if (token?.kind !== TokenKind.PropertyAccess) return
  const access = token as Access
  if (!access.variable && access.props[0]?.content === root) yield access
  yield* accessesIn(access.variable)
  for (const prop of access.props) yield* accessesIn(prop)
}
