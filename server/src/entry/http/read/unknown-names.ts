import { findUnknownNames, type KnownNames, knownNames, type UnknownName, type UnknownNamePolicy } from '@peyk/contract'
import type { TSchema } from 'typebox'
import { closestWord } from '#base/closest-word.ts'
import { RequestError } from '#base/errors.ts'
import { redactTokens } from '#base/secrets/redact-tokens.ts'

interface UnknownField {
  field: string
  didYouMean?: string
}

interface Ignored {
  warnings: string[]
  unknownFields: UnknownField[]
}

interface Where {
  kind: 'field' | 'query parameter' | 'part'
  into: (Ignored | undefined)[]
  /** Index of the element, if the body is an array. */
  index?: number | undefined
}

const maxNamed = 100
const maxListed = 12
const maxNameLength = 80
/** Searching for similar names costs more than everything else here, so the searches of a request are limited. */
const maxSearches = 100
/** Allowed in every query and body; read before the contract is checked. */
const always = { query: 'access_token', body: 'idempotencyKey' } as const

const partNames = new Map(['file', always.body].map((name) => [name, undefined]))

/** Names that the query or body of an endpoint may have. Without a schema, it has none of its own. */
export function namesOf(schema: TSchema | undefined, part: keyof typeof always): KnownNames | undefined {
  const known = namesOfElement(schema)
  known?.fields?.set(always[part], undefined)
  return known
}

/** Names of one element of a body that is an array. Elements have no idempotency key of their own. */
export function namesOfElement(schema: TSchema | undefined): KnownNames | undefined {
  return schema ? knownNames(schema) : { fields: new Map() }
}

/** Handles names that the endpoint does not know: refuses them, or removes them and reports them in the response. */
export class UnknownNames {
  private readonly policy: UnknownNamePolicy
  private readonly inBody: (Ignored | undefined)[] = []
  private readonly inQuery: Ignored[] = []
  private readonly suggestions = new Map<string, string | undefined>()
  private isList = false

  constructor(policy: UnknownNamePolicy) {
    this.policy = policy
  }

  takeFromQuery(known: KnownNames | undefined, query: unknown): void {
    const found = known && findUnknownNames(known, query)
    if (found) this.settle(found, { kind: 'query parameter', into: this.inQuery })
  }

  takeFromBody(known: KnownNames | undefined, body: unknown, index?: number): void {
    const found = known && findUnknownNames(known, body)
    if (found) this.settle(found, { kind: 'field', into: this.inBody, index })
  }

  /** A required field is often missing because its name is misspelled, so the unknown name is the better error. */
  refuseInBody(known: KnownNames | undefined, body: unknown, index?: number): void {
    if (this.policy === 'refuse') this.takeFromBody(known, body, index)
  }

  /** A part of a multipart body that is neither the file nor the key. */
  takePart(name: string): void {
    this.settle([{ field: name, name, holder: {}, known: partNames }], { kind: 'part', into: this.inBody })
  }

  /** Adds the ignored names to the answer; to each element if it is an array. */
  addTo(answer: unknown): unknown {
    const query = this.inQuery[0]
    if (this.inBody.length === 0 && !query) return answer
    if (Array.isArray(answer)) return answer.map((each, index) => addIgnored(each, [this.inBody[index], query]))
    const parts = this.isList ? this.inBody.map((part, index) => part && inElement(part, index)) : this.inBody
    return addIgnored(answer, [...parts, query])
  }

  private settle(found: readonly UnknownName[], where: Where): void {
    if (this.policy === 'refuse') throw this.refusal(found[0] as UnknownName, where)
    for (const { holder, name } of found) delete holder[name]
    if (this.policy === 'drop') return
    const { kind, into, index } = where
    const fields = found.slice(0, maxNamed).map((each) => this.describe(each))
    const warnings = fields.map(
      ({ field, didYouMean }) => `"${field}" is not a known ${kind} and was ignored.${hint(didYouMean)}`,
    )
    if (found.length > maxNamed) warnings.push(`${found.length - maxNamed} more unknown names were ignored.`)
    this.isList ||= index !== undefined
    const earlier = into[index ?? 0]
    into[index ?? 0] = earlier
      ? joined([earlier, { warnings, unknownFields: fields }])
      : { warnings, unknownFields: fields }
  }

  private refusal(unknown: UnknownName, { kind, index }: Where): RequestError {
    const { field, didYouMean } = this.describe(unknown)
    const prefix = index === undefined ? '' : `Element ${index}: `
    const instead = didYouMean === undefined ? listKnown(unknown) : hint(didYouMean)
    return new RequestError('unknown-field', `${prefix}"${field}" is not a known ${kind}.${instead}`, {
      details: { field, ...(didYouMean !== undefined && { didYouMean }), ...(index !== undefined && { index }) },
    })
  }

  private describe(unknown: UnknownName): UnknownField {
    const { field, name } = unknown
    const meant = this.suggest(unknown)
    const path = field.slice(0, field.length - name.length)
    return { field: shorten(field), ...(meant !== undefined && { didYouMean: shorten(path + meant) }) }
  }

  private suggest({ field, name, known }: UnknownName): string | undefined {
    if (name.length > maxNameLength) return undefined
    const key = field.replaceAll(/\[\d+\]/g, '[]')
    if (this.suggestions.has(key)) return this.suggestions.get(key)
    if (this.suggestions.size >= maxSearches) return undefined
    const words = [...(known?.keys() ?? [])]
    const meant = words.find((word) => fold(word) === fold(name)) ?? closestWord(name, words)
    this.suggestions.set(key, meant)
    return meant
  }
}

function addIgnored(answer: unknown, parts: readonly (Ignored | undefined)[]): unknown {
  const ignored = parts.filter((part) => part !== undefined)
  if (ignored.length === 0) return answer
  const { warnings = [] } = answer as { warnings?: string[] }
  const added = joined(ignored)
  return { ...(answer as object), ...added, warnings: [...warnings, ...added.warnings] }
}

function joined(parts: readonly Ignored[]): Ignored {
  return {
    warnings: parts.flatMap(({ warnings }) => warnings),
    unknownFields: parts.flatMap(({ unknownFields }) => unknownFields),
  }
}

/** Used when the answer is one object although the body was an array. */
function inElement({ warnings, unknownFields }: Ignored, index: number): Ignored {
  return {
    warnings: warnings.map((warning) => `Element ${index}: ${warning}`),
    unknownFields: unknownFields.map(({ field, didYouMean }) => ({
      field: `[${index}].${field}`,
      ...(didYouMean !== undefined && { didYouMean: `[${index}].${didYouMean}` }),
    })),
  }
}

function hint(didYouMean: string | undefined): string {
  return didYouMean === undefined ? '' : ` Did you mean "${didYouMean}"?`
}

function listKnown({ known }: UnknownName): string {
  if (!known) return ''
  const names = [...known.keys()].filter((name) => name !== always.query && name !== always.body)
  if (names.length === 0) return ' None is expected here.'
  return names.length > maxListed ? '' : ` Expected one of ${names.map((name) => `"${name}"`).join(', ')}.`
}

/** Ignoring case and separators, "user_id" equals "userId". */
function fold(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase()
}

/** Clients put access tokens in odd places. Redact before cutting, because a piece of a token is not recognized. */
function shorten(field: string): string {
  const text = redactTokens(field).toWellFormed()
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength).toWellFormed()}…` : text
}
