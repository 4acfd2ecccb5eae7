import type { Values } from '@peyk/contract'
import { Output, type Token } from 'liquidjs'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { childrenOf, isCheapTemplate } from '../rendering/cheap-template.ts'
import {
  findTemplateFault,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  renderTemplate,
} from '../rendering/template-engine.ts'
import { asksForNothing, findValuePlaces, mayAskForValues, type ValuePlace } from './value-places.ts'
import { writeLiteral } from './write-literal.ts'

/** A text that reads the same when it stands in the template itself. */
const asItIs = /^[^{}%\s](?:[^{}%]*[^{}%\s])?$/
/** It may ask what time it is. */
const hasDate = /\|\s*date\b/

/**
 * The text with these values in the place of what asks for them, and the names it used. What is not given becomes nothing, so
 * that its fallback is taken, and stays where there is none. A value is a literal, never a part of the template: it cannot ask for anything.
 */
export function bindText(text: string, values: Readonly<Values>): { text: string; used: string[] } {
  if (!mayAskForValues(text) || findTemplateFault(text)) return { text, used: [] }
  const places = findValuePlaces(text) ?? []
  let characters = 0
  const written = places.flatMap((place) => {
    const value = Object.hasOwn(values, place.name) ? values[place.name] : undefined
    if (value === undefined && place.isRequired) return []
    const part = writePlace(place, value)
    characters += part.written.length
    if (characters > limits.messageBytes) throw tooLargeByValues()
    return [part]
  })
  const used = places.map(({ name }) => name)
  return { text: written.length === 0 ? text : writeFixed(replaceParts(text, written)), used }
}

interface Part {
  begin: number
  end: number
  written: string
}

/** Only a text has parts, such as its size. */
function writePlace({ begin, end, accessEnd }: ValuePlace, value: Values[string] | undefined): Part {
  const hasParts = end === accessEnd || typeof value === 'string'
  return hasParts
    ? { begin, end, written: writeLiteral(value) }
    : { begin, end: accessEnd, written: writeLiteral(undefined) }
}

/** In the order of the text. */
function replaceParts(text: string, parts: readonly Part[]): string {
  const pieces = parts.map(({ begin, written }, index) => text.slice(parts[index - 1]?.end ?? 0, begin) + written)
  return pieces.join('') + text.slice(parts.at(-1)?.end ?? 0)
}

/** What asks for nothing else is written now, as it is the same for everybody: all of the text, or its outputs. */
function writeFixed(bound: string): string {
  if (findTemplateFault(bound)) return bound
  const template = parseTemplate(bound)
  const all = !hasDate.test(bound) && asksForNothing(template) ? renderCheap(template) : undefined
  if (all !== undefined) return isTemplate(all) ? `{{ ${writeLiteral(all)} }}` : all
  return replaceParts(
    bound,
    [...outputsIn(template)].flatMap((output) => writeOutput(bound, output)),
  )
}

function writeOutput(bound: string, output: Output): Part[] {
  const { begin, end, trimLeft, trimRight } = output.token as Token & { trimLeft: boolean; trimRight: boolean }
  if (trimLeft || trimRight || hasDate.test(bound.slice(begin, end)) || !asksForNothing([output])) return []
  const written = renderCheap([output])
  return written !== undefined && asItIs.test(written) ? [{ begin, end, written }] : []
}

function* outputsIn(template: ParsedTemplate): Generator<Output> {
  for (const part of template) {
    if (part instanceof Output) yield part
    yield* outputsIn(childrenOf(part))
  }
}

/** Undefined when it may take long, or cannot be written. */
function renderCheap(template: ParsedTemplate): string | undefined {
  if (!isCheapTemplate(template)) return undefined
  const rendered = renderTemplate(template, {})
  return 'text' in rendered ? rendered.text : undefined
}

export function tooLargeByValues(): RequestError {
  return new RequestError(
    'too-large',
    `With its values the message takes more than the ${limits.messageBytes} bytes that are allowed.`,
    { details: { field: 'values' } },
  )
}
