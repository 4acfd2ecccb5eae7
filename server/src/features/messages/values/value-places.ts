import { type Arguments, type Template, type Token, TokenKind, type Value } from 'liquidjs'
import { childrenOf } from '../rendering/cheap-template.ts'
import { isTemplate, parseTemplate } from '../rendering/template-engine.ts'

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
 * Where a text that parses asks for values, in the order of the text. Undefined when it does not say for which, as in `values[user.x]`. A
 * name that the text gives a meaning of its own, as `{% for values in … %}` does, is not one of them.
 */
export function findValuePlaces(text: string): ValuePlace[] | undefined {
  const places: ValuePlace[] = []
  for (const { token, ...found } of findIn(parseTemplate(text), { guarded: new Set(), isOwn: false })) {
    const place = token.input === text ? placeOf(token) : undefined
    if (!place) return undefined
    places.push({ ...place, ...found })
  }
  return places.sort((a, b) => a.begin - b.begin)
}

/** Whether a template is the same for everybody. */
export function asksForNothing(template: readonly Template[]): boolean {
  return template.every((part) => hasFixedArguments(part) && asksForNothing(childrenOf(part)))
}

function hasFixedArguments(part: Template): boolean {
  return [...(part.arguments?.() ?? [])].every((argument) => {
    const tokens = isFiltered(argument) ? [...argument.initial.postfix, ...givenTo(argument.filters)] : [argument]
    return tokens.every((token) => token?.kind !== TokenKind.PropertyAccess && token?.kind !== TokenKind.Range)
  })
}

function placeOf(token: Access): Pick<ValuePlace, 'name' | 'begin' | 'end' | 'accessEnd'> | undefined {
  const [, second] = token.props
  if (typeof second?.content !== 'string' || !isValueName(second.content)) return undefined
  const isQuoted = second.kind === TokenKind.Quoted
  if (!isQuoted && second.kind !== TokenKind.Word) return undefined
  const end = isQuoted ? token.input.indexOf(']', second.end) + 1 : second.end
  return { name: second.content, begin: token.begin, end, accessEnd: token.end }
}

interface Surroundings {
  /** The names that a condition around it asks for. */
  guarded: ReadonlySet<string>
  /** The text means something of its own by `values` from here on. */
  isOwn: boolean
}

function* findIn(templates: readonly Template[], around: Surroundings): Generator<Found> {
  for (const part of templates) {
    const found = around.isOwn
      ? []
      : [...(part.arguments?.() ?? [])].flatMap((argument) => [...findInArgument(argument)])
    const isCondition = 'name' in part && conditions.has(String(part.name))
    const guarded = isCondition
      ? new Set([...around.guarded, ...found.map(({ token }) => nameOf(token))])
      : around.guarded
    for (const each of found) yield { ...each, isRequired: each.isRequired && !guarded.has(nameOf(each.token)) }
    const inside = { guarded, isOwn: around.isOwn || [...(part.blockScope?.() ?? [])].includes(root) }
    yield* findIn(childrenOf(part), inside)
    around.isOwn ||= [...(part.localScope?.() ?? [])].some(({ content }) => content === root)
  }
}

function nameOf(token: Access): string {
  return placeOf(token)?.name ?? ''
}

function* findInArgument(argument: Argument): Generator<Found> {
  if (!isFiltered(argument)) {
    for (const token of accessesIn(argument)) yield { token, isRequired: true }
    return
  }
  const { initial, filters } = argument
  const instead = filters.find(({ name }) => name === 'default')
  const fallback = fixedText(instead?.args[0])
  for (const token of initial.postfix.flatMap((each) => [...accessesIn(each)])) {
    yield { token, isRequired: !instead, ...(fallback !== undefined && { fallback }) }
  }
  for (const token of givenTo(filters).flatMap((each) => [...accessesIn(each)])) yield { token, isRequired: true }
}

/** `cycle` has tokens of this form. */
function isFiltered(argument: Argument): argument is Value | (Argument & Pick<Value, 'initial' | 'filters'>) {
  return 'initial' in argument
}

function givenTo(filters: Value['filters']): (Token | undefined)[] {
  return filters.flatMap(({ args }) => args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)))
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
