import { controlName } from '@peyk/contract'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import { defaultTexts } from '../../messages/compose/language-tags.ts'
import { sharesOf } from '../hand-over/control-group.ts'

/** Where a user stands in the test of a message. */
export type Place =
  | { kind: 'control' }
  | { kind: 'tested'; variant: string }
  /** They get the winner. */
  | { kind: 'others' }

/** What of a message makes it a test; undefined where nothing does. */
export function testOf({ variants, control, winner, goal }: MessageContent): TestContent | undefined {
  if (!variants && control === undefined) return undefined
  return {
    ...(variants && { variants }),
    ...(control !== undefined && { control }),
    ...(winner && { winner }),
    ...(goal && { goal }),
  }
}

/**
 * [ADR-0193] It depends on the message and the user alone: it is the same on all of their devices, in every process and
 * on every try. Whether they are in control, whether they are tested, and which variant they get are independent of one
 * another.
 */
export function assignVariant(test: TestContent, messageId: string, userId: string): Place {
  const [control, tested, variant] = sharesOf(`test/${messageId}/${userId}`, 3) as [number, number, number]
  if (control * 100 < (test.control ?? 0)) return { kind: 'control' }
  if (test.winner && tested * 100 >= test.winner.testShare) return { kind: 'others' }
  return { kind: 'tested', variant: pickVariant(test, variant) }
}

/** Shares may add up to a little more or less than 100, as thirds do. */
function pickVariant({ variants = [] }: TestContent, place: number): string {
  const sum = variants.reduce((all, { share }) => all + share, 0)
  let passed = 0
  for (const { name, share } of variants) {
    passed += share / sum
    if (place < passed) return name
  }
  return variants.at(-1)?.name ?? defaultTexts
}

/** All that a user may be given, in the order of the message; control last. */
export function namesOf({ variants, control }: TestContent): string[] {
  return [...(variants?.map(({ name }) => name) ?? [defaultTexts]), ...(control === undefined ? [] : [controlName])]
}
