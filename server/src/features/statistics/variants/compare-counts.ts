import { type AnswerOf, controlName, type messageVariants, spanMs } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { namesOf } from '../../deliveries/variants/assign-variant.ts'
import { noCount, type VariantCount } from '../../deliveries/variants/count-variants.ts'
import { readCourse, readTestEnd } from '../../deliveries/variants/decision-store.ts'
import { leastUsers, type Trial, trialOf } from '../../deliveries/variants/pick-winner.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'
import { chancesOfBeingBest, liftOver, wilsonInterval } from './compare-variants.ts'
import type { TimedCounts } from './read-counts.ts'

type Answer = AnswerOf<typeof messageVariants>
type Compared = Answer['variants'][number]

/** Compares the variants of a message by their counts. */
export async function compareCounts(
  ctx: Context,
  row: MessageRow,
  test: TestContent,
  counts: TimedCounts,
): Promise<Answer> {
  const { winner, goal } = test
  const countOf = (name: string) => counts.tested.find((each) => each.name === name) ?? noCount(name)
  const by = winner?.by ?? (goal ? `event:${goal.event}` : 'opened')
  const names = namesOf(test).filter((name) => name !== controlName)
  const trials = names.map((name) => trialOf(by, countOf(name)))
  const notEnoughData = trials.some(({ given }) => given < leastUsers)
  const chances = notEnoughData || trials.length < 2 ? [] : chancesOfBeingBest(trials)
  const control = test.control === undefined ? undefined : countOf(controlName)
  return {
    id: row.id,
    countedAt: counts.at.getTime(),
    by,
    leastUsers,
    notEnoughData,
    ...(goal && { goal }),
    variants: names.map((name, index): Compared => {
      const { goal: reached, ...own } = countOf(name)
      const chance = chances[index]
      return {
        ...own,
        share: test.variants?.[index]?.share ?? 100,
        rate: rateOf(trials[index] as Trial),
        ...(chance !== undefined && { chanceOfBest: chance }),
        ...(goal && compareGoal({ given: own.assigned, reached }, control)),
      }
    }),
    ...(control && {
      control: {
        share: test.control ?? 0,
        assigned: control.assigned,
        ...(goal && { goal: rateOf({ given: control.assigned, reached: control.goal }) }),
      },
    }),
    ...(winner && { winner: await describeWinner(ctx, row, winner, counts.others) }),
  }
}

function rateOf(trial: Trial): Compared['rate'] {
  const { given, reached } = trial
  return { of: given, reached, rate: given === 0 ? 0 : reached / given, ...wilsonInterval(trial) }
}

function compareGoal(trial: Trial, control: VariantCount | undefined): Pick<Compared, 'goal' | 'lift' | 'liftMissing'> {
  const goal = rateOf(trial)
  if (!control) return { goal }
  const without = { given: control.assigned, reached: control.goal }
  if (trial.given < leastUsers || without.given < leastUsers) return { goal, liftMissing: 'notEnoughData' }
  const lift = liftOver(without, trial)
  return lift ? { goal, lift } : { goal, liftMissing: 'noEvents' }
}

async function describeWinner(
  ctx: Context,
  row: MessageRow,
  winner: NonNullable<TestContent['winner']>,
  others: readonly VariantCount[],
): Promise<NonNullable<Answer['winner']>> {
  const key = { appId: ctx.app.id, messageId: row.id }
  const { decision, isOpen } = await readCourse(db(ctx), key)
  const lastAt = isOpen ? undefined : await readTestEnd(db(ctx), key)
  const isOff = !decision && (row.cancelled_at !== null || row.expires_at <= ctx.now())
  const sum = (read: (count: VariantCount) => number) => others.reduce((all, count) => all + read(count), 0)
  return {
    ...winner,
    state: decision ? 'decided' : isOff ? 'off' : isOpen ? 'testing' : 'waiting',
    ...(lastAt && !isOff && { decideAt: lastAt.getTime() + spanMs(winner.after) }),
    ...(decision && { decidedAt: decision.decidedAt.getTime(), variant: decision.variant, why: decision.why }),
    others: {
      assigned: sum(({ assigned }) => assigned),
      handedOver: sum(({ handedOver }) => handedOver),
      opened: sum(({ opened }) => opened),
      acted: sum(({ acted }) => acted),
    },
  }
}
