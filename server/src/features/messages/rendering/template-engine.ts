import type { TemplateFault } from '@peyk/contract'
import { Context, Liquid, Output, type Template, type Variables } from 'liquidjs'
import { readParserFault } from './template-fault.ts'

/** Counted, not timed: the same text is taken or refused whatever else the machine does. */
const maxSteps = 10_000
const maxAllocations = 200_000
const maxCharacters = 20_000
/** For what the steps do not catch. */
const maxRenderMs = 1_000

const engine = new Liquid({
  templates: {},
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: maxCharacters,
  memoryLimit: maxAllocations,
  timezoneOffset: 0,
  locale: 'en-US',
})
// A template is one text: it neither reads nor defines others.
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
// These parse a text of their own each time they run, which nothing can look into beforehand.
for (const filter of Object.keys(engine.filters)) if (filter.endsWith('_exp')) delete engine.filters[filter]

const known = { tags: Object.keys(engine.tags), filters: Object.keys(engine.filters) }

export type ParsedTemplate = Template[]

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

export function parseTemplate(text: string): ParsedTemplate {
  return engine.parse(text)
}

/** What keeps a text from being a template, or undefined when it parses. */
export function findTemplateFault(text: string): TemplateFault | undefined {
  try {
    parseTemplate(text)
    return undefined
  } catch (error) {
    return readParserFault((error as Error).message, text, known)
  }
}

export type Rendered = { text: string } | { fault: string }

/** Missing values are empty; what fails or exceeds its limits is a fault. */
export function renderTemplate(template: ParsedTemplate, scope: object): Rendered {
  try {
    const text = engine.renderSync(template, limitedContext(scope)) as string
    if (text.length > maxCharacters) return { fault: `it became longer than ${maxCharacters} characters` }
    return { text: validText(text) }
  } catch (error) {
    return { fault: faultText(error) }
  }
}

/** What a template asks for: `user`, with what follows it in each place. Undefined when that cannot be told. */
export function variablesOf(template: ParsedTemplate): Variables | undefined {
  try {
    return engine.analyzeSync(template, { partials: false }).globals
  } catch {
    return undefined
  }
}

/** The parts that write a value as it is, and those that decide something or have another text in its place. */
export function splitByFallback(template: ParsedTemplate): { plain: ParsedTemplate; guarded: ParsedTemplate } {
  const isPlain = (part: Template) =>
    part instanceof Output && !part.value.filters.some(({ name }) => name === 'default')
  return { plain: template.filter(isPlain), guarded: template.filter((part) => !isPlain(part)) }
}

function limitedContext(scope: object): Context {
  let steps = 0
  const startedAt = performance.now()
  const renderLimit = {
    check(at: number): void {
      if (++steps > maxSteps || at - startedAt > maxRenderMs) throw new Error('it takes too many steps')
    },
    use(): void {},
  }
  return new Context(scope, engine.options, { sync: true }, { renderLimit: renderLimit as never, liquid: engine })
}

/** A filter may cut a character in two, or make one that no store and no phone takes. */
function validText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function faultText(error: unknown): string {
  return (error as Error).message.slice(0, 200).toWellFormed()
}
