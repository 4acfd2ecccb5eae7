import { type ParsedTemplate, variablesOf } from './template-engine.ts'

/** The names of attributes, or all of them where a template does not say which. */
export type NeededAttributes = ReadonlySet<string> | 'all'

export const noAttributes: NeededAttributes = new Set()

export interface NeededValues {
  attributes: NeededAttributes
  promoCode: boolean
}

/** What has to be known of a recipient to render the template. */
export function neededValues(template: ParsedTemplate, text: string): NeededValues {
  const variables = variablesOf(template)
  if (!variables) return { attributes: 'all', promoCode: text.includes('promoCode') }
  const names = (variables.user ?? []).map(({ segments: [, name] }) => name)
  // `user.size` counts all of them.
  const isKnown = (name: unknown): name is string => typeof name === 'string' && name !== 'size'
  return {
    attributes: names.every(isKnown) ? new Set(names) : 'all',
    promoCode: variables.promoCode !== undefined,
  }
}

export function joinAttributes(all: readonly NeededAttributes[]): NeededAttributes {
  if (all.includes('all')) return 'all'
  return new Set(all.flatMap((names) => [...names]))
}

export function needsAny(attributes: NeededAttributes): boolean {
  return attributes === 'all' || attributes.size > 0
}
