import { spanMs } from '@peyk/contract'
import type { Store } from '#base/store/store.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import { leaveInOutbox } from '../../outbox/outbox.ts'
import { countVariants, noCount } from './count-variants.ts'
import { readCourse, readTestEnd, storeDecision } from './decision-store.ts'
import { pickWinner, trialOf } from './pick-winner.ts'

export interface TestedMessage {
  appId: number
  id: string
  trackId: string | undefined
  test: TestContent
}

/** What those get who are not in the test, or until when at least they wait for it. */
export type WinnerCourse = { variant: string } | { waitsUntil: Date }

const stoppedMs = 1_000

/**
 * [ADR-0194] Whoever asks when it is time decides, for all: one row says it. While some of the test is still in the
 * work-list its last hand-over is to come, so that the decision is not due before `after` from now.
 */
export async function findWinner(store: Store, message: TestedMessage, at: Date): Promise<WinnerCourse> {
  const key = { appId: message.appId, messageId: message.id }
  const { winner } = message.test
  if (!winner) throw new Error('Only a test has a winner.')
  const { decision, isOpen } = await readCourse(store, key)
  if (decision) return decision
  const afterMs = spanMs(winner.after)
  if (isOpen) return { waitsUntil: new Date(at.getTime() + afterMs) }
  const dueMs = ((await readTestEnd(store, key)) ?? at).getTime() + afterMs
  if (at.getTime() < dueMs) return { waitsUntil: new Date(dueMs) }
  await decide(store, message, at)
  return (await readCourse(store, key)).decision ?? { waitsUntil: new Date(at.getTime() + stoppedMs) }
}

async function decide(store: Store, { appId, id: messageId, trackId, test }: TestedMessage, at: Date): Promise<void> {
  const { variants = [], winner, goal } = test
  if (!winner) return
  const { tested } = await countVariants(store, { appId, messageId, goal })
  const trials = variants.map(({ name }) => {
    const count = tested.find((each) => each.name === name) ?? noCount(name)
    return { name, ...trialOf(winner.by, count) }
  })
  const picked = pickWinner(trials, winner.otherwise)
  await store.transaction(async (tx) => {
    const isOurs = await storeDecision(tx, { appId, messageId }, { ...picked, decidedAt: at })
    if (!isOurs) return
    const body = { messageId, ...(trackId !== undefined && { trackId }), ...picked }
    await leaveInOutbox(tx, store, [{ appId, kind: 'message.winner', at, body }])
  })
}
