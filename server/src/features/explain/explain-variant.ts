import { controlName, type TimelineEntry } from '@peyk/contract'
import { entry, type InstallationFacts, type MessageFacts } from './facts.ts'

/** Which of its variants the installation was given; undefined where it has none. That somebody is in control is told by the end. */
export function explainVariant(
  { row: { body } }: Pick<MessageFacts, 'row'>,
  { delivery }: Pick<InstallationFacts, 'delivery'>,
): TimelineEntry | undefined {
  const variant = delivery?.variant ?? null
  if (!body.variants || variant === null || variant === controlName) return undefined
  return entry('variant', { code: body.winner && !delivery?.testedAt ? 'variant-won' : 'variant', variant })
}
