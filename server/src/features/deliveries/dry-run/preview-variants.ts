import { controlName, type DryRun } from '@peyk/contract'
import type { Draft } from '../../messages/accept/draft-message.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import { namesOf, type Place, testOf } from '../variants/assign-variant.ts'
import type { ReachGroup } from './preview-audience.ts'

/**
 * Groups divided by what is to be expected in the test of a message; as they are where it is none. Who gets what depends
 * on the id that the message will have, so that only the shares are known. Rounding is carried on from group to group.
 */
export function divideByShare(groups: readonly ReachGroup[], { body }: Pick<Draft, 'body'>): ReachGroup[] {
  const test = testOf(body)
  if (!test) return [...groups]
  const places = expectedPlaces(test)
  const carried = new Map<boolean, number[]>()
  return groups.flatMap((group) => {
    const carry = carried.get(group.is_member) ?? places.map(() => 0)
    const ideal = places.map(({ share }, index) => group.count * share + (carry[index] as number))
    const counts = roundTo(group.count, ideal)
    carried.set(
      group.is_member,
      ideal.map((each, index) => each - (counts[index] as number)),
    )
    return places.map(({ place }, index) => ({ ...group, place, count: counts[index] as number }))
  })
}

/** Everybody is in one of them; shares from 0 to 1. */
function expectedPlaces(test: TestContent): { place: Place; share: number }[] {
  const control = (test.control ?? 0) / 100
  const tested = (1 - control) * (test.winner ? test.winner.testShare / 100 : 1)
  const sum = test.variants?.reduce((all, { share }) => all + share, 0) ?? 1
  const names = test.variants ?? [{ name: namesOf({})[0] as string, share: 1 }]
  return [
    ...names.map(({ name, share }) => ({
      place: { kind: 'tested', variant: name } as const,
      share: (tested * share) / sum,
    })),
    ...(control > 0 ? [{ place: { kind: 'control' } as const, share: control }] : []),
    ...(test.winner ? [{ place: { kind: 'others' } as const, share: 1 - control - tested }] : []),
  ]
}

/** Whole numbers near these that add up to the count: what is left goes to those who lack most. */
function roundTo(count: number, ideal: readonly number[]): number[] {
  const rounded = ideal.map((each) => Math.max(0, Math.floor(each)))
  for (;;) {
    const left = count - rounded.reduce((sum, each) => sum + each, 0)
    if (left === 0) return rounded
    const lacks = ideal.map((each, index) => each - (rounded[index] as number))
    const at =
      left > 0
        ? lacks.indexOf(Math.max(...lacks))
        : lacks.indexOf(Math.min(...lacks.filter((_, index) => (rounded[index] as number) > 0)))
    rounded[at] = (rounded[at] as number) + Math.sign(left)
  }
}

/** Undefined where the message is no test. */
export function countByVariant(
  { body }: Pick<Draft, 'body'>,
  groups: readonly ReachGroup[],
): Pick<DryRun, 'variants' | 'test'> | undefined {
  const test = testOf(body)
  if (!test) return undefined
  const members = groups.filter((group) => group.is_member)
  const countOf = (matches: (place: Place) => boolean) =>
    members.reduce((sum, { place, count }) => sum + (place && matches(place) ? count : 0), 0)
  return {
    variants: Object.fromEntries(
      namesOf(test).map((name) => [
        name,
        countOf((place) =>
          name === controlName ? place.kind === 'control' : place.kind === 'tested' && place.variant === name,
        ),
      ]),
    ),
    ...(test.winner && {
      test: {
        tested: countOf(({ kind }) => kind === 'tested'),
        others: countOf(({ kind }) => kind === 'others'),
      },
    }),
  }
}

/** Which of the message’s variants a group gets; undefined where it has none, or it is not known. */
export function variantOfGroup({ body }: Pick<Draft, 'body'>, { place }: ReachGroup): string | undefined {
  return body.variants && place?.kind === 'tested' ? place.variant : undefined
}
