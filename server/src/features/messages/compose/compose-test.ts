import type { AnyNotification, Goal, Variant, Winner } from '@peyk/contract'
import { composeContents, composeTexts, type LanguageContent } from './compose-contents.ts'

/** One of a message’s variants, as it is kept. */
export interface VariantContent extends LanguageContent {
  name: string
  /** Percent of those who are not in control. */
  share: number
  contents?: Record<string, LanguageContent>
}

/** What makes a message a test, as it is kept. */
export interface TestContent {
  variants?: VariantContent[]
  /** Percent of the users who get nothing; not kept where it is none. */
  control?: number
  winner?: Required<Winner>
  goal?: Required<Goal>
}

const usualWithin = '12h'

/** [ADR-0192] Whatever may be left out has been said. */
export function composeTest({ variants, control, winner, goal }: AnyNotification): TestContent {
  const names = variants?.map(({ name }) => name) ?? []
  const event = goal?.event ?? eventOf(winner?.by)
  return {
    ...(variants && { variants: variants.map((variant) => composeVariant(variant, 100 / variants.length)) }),
    ...(control && { control }),
    ...(winner && { winner: { ...winner, otherwise: winner.otherwise ?? names[0] ?? '' } }),
    ...(event !== undefined && { goal: { event, within: goal?.within ?? usualWithin } }),
  }
}

/** The event that decides, where it is one. */
function eventOf(by: string | undefined): string | undefined {
  return by?.startsWith('event:') ? by.slice('event:'.length) : undefined
}

function composeVariant({ name, share, contents, ...texts }: Variant, evenShare: number): VariantContent {
  return {
    name,
    share: share ?? evenShare,
    ...composeTexts(texts),
    ...(contents && { contents: composeContents(contents) }),
  }
}
