import type { Values } from '@peyk/contract'
import { Output, type Token } from 'liquidjs'
import { childrenOf, isCheapTemplate } from '../rendering/cheap-template.ts'
import {
  findTemplateFault,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  renderTemplate,
  variablesOf,
} from '../rendering/template-engine.ts'
import { findValuePlaces, mayAskForValues, type ValuePlace } from './value-places.ts'
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
  const places = findValuePlaces(parseTemplate(text)) ?? []
  let bound = text
  for (const place of places.toReversed()) {
    const value = Object.hasOwn(values, place.name) ? values[place.name] : undefined
    if (value !== undefined || !place.isRequired) bound = writeInto(bound, place, value)
  }
  return { text: bound === text ? text : writeFixed(bound), used: places.map(({ name }) => name) }
}

/** Only a text has parts, such as its size. */
function writeInto(text: string, { begin, end, accessEnd }: ValuePlace, value: Values[string] | undefined): string {
  const hasParts = end === accessEnd || typeof value === 'string'
  return (
    text.slice(0, begin) +
    (hasParts ? writeLiteral(value) + text.slice(end) : writeLiteral(null) + text.slice(accessEnd))
  )
}

/** What asks for nothing else is written now, as it is the same for everybody: all of the text, or its outputs. */
function writeFixed(bound: string): string {
  if (findTemplateFault(bound)) return bound
  const template = parseTemplate(bound)
  const all = hasDate.test(bound) ? undefined : writtenNow(template)
  if (all !== undefined) return isTemplate(all) ? `{{ ${writeLiteral(all)} }}` : all
  let written = bound
  for (const output of [...outputsIn(template)].toReversed()) {
    const { begin, end, trimLeft, trimRight } = output.token as Token & { trimLeft: boolean; trimRight: boolean }
    if (trimLeft || trimRight || hasDate.test(bound.slice(begin, end))) continue
    const text = writtenNow([output])
    if (text !== undefined && asItIs.test(text)) written = written.slice(0, begin) + text + written.slice(end)
  }
  return written
}

function* outputsIn(template: ParsedTemplate): Generator<Output> {
  for (const part of template) {
    if (part instanceof Output) yield part
    yield* outputsIn(childrenOf(part))
  }
}

/** Undefined when it asks for something, or may take long. */
function writtenNow(template: ParsedTemplate): string | undefined {
  const asked = variablesOf(template)
  if (!asked || Object.keys(asked).length > 0 || !isCheapTemplate(template)) return undefined
  const rendered = renderTemplate(template, {})
  return 'text' in rendered ? rendered.text : undefined
}
