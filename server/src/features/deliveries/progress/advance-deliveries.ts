import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import type { Transaction } from '#base/store/store.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import type { Detail } from '../details/detail.ts'
import { countLanguages } from '../languages/count-languages.ts'
import { type DeliveryInLanguage, recordLanguages } from '../languages/record-languages.ts'
import { type DeliveryOfVariant, recordVariants } from '../variants/record-variants.ts'
import { type CounterChange, changeCounters } from './change-counters.ts'
import { countDeliveryDays, type DayChange, hasCome } from './delivery-days.ts'
import {
  type DeliveryKey,
  insertDeliveries,
  lockDeliveries,
  type PlacedDelivery,
  updateDeliveries,
} from './delivery-places-store.ts'
import { applyStep, type DeliveryPlace } from './delivery-transitions.ts'

/** What became of one message on one installation. */
export interface DeliveryStep extends DeliveryKey, Detail {
  state: DeliveryState
  /** Why it ended; only for `ended`. */
  reason?: DeliveryReason
  provider?: string
  /** Of the installation, where it is known: else it is looked up for the counts of the day. */
  platform?: string
  /** Where the delivery is new: it waits for its installation over the own connection. */
  inInbox?: true
  /** In which language it was handed over, where the message has several. */
  language?: string | undefined
  /** And until when, where the message has other ends for other users. */
  expiresAt?: Date
  /** What the user was given, where the message is a test; when, if they are compared. */
  variant?: string | undefined
  testedAt?: Date | undefined
  at: Date
  /** To how many the message goes, where that is known: then nobody has to look whether it is counted. */
  recipients?: number
}

/** A delivery that is in another state than before. */
export interface MovedDelivery extends DeliveryKey {
  state: DeliveryState
  reason?: DeliveryReason
  /** Undefined: it had none, it is new. */
  was?: DeliveryState
}

interface Advanced {
  moved: MovedDelivery[]
  /** They had come as far before. */
  unmoved: DeliveryKey[]
}

/**
 * Writes how far deliveries have come, and moves the counters with them. What they had reached before stays, whatever
 * order the reports come in. Deliveries are locked in their order and the counters after them: a transaction that
 * calls this once, last, waits for nobody who waits for it.
 */
export async function advanceDeliveries(tx: Transaction, steps: readonly DeliveryStep[]): Promise<Advanced> {
  if (steps.length === 0) return { moved: [], unmoved: [] }
  const byKey = groupByDelivery(steps)
  const wanted = [...byKey.values()].map(newPlace)
  const made = await insertDeliveries(tx, wanted)
  const moved: MovedDelivery[] = made.map((delivery) => movedTo(delivery))
  const unmoved: DeliveryKey[] = []
  const changes: CounterChange[] = [...made]
  const days: DayChange[] = made.filter(hasCome).map((now) => ({ was: undefined, now }))
  const toFew = new Set<string>()
  for (const step of steps) if (isToFew(step)) toFew.add(step.messageId)

  if (made.length < wanted.length) {
    for (const delivery of made) byKey.delete(keyText(delivery))
    const changed: PlacedDelivery[] = []
    for (const was of await lockDeliveries(tx, [...byKey.values()].map(keyOf))) {
      const now = courseOf(was, byKey.get(keyText(was)) ?? []) ?? was
      const isMoved = now.state !== was.state || now.reason !== was.reason
      if (!isMoved) unmoved.push(keyOf([was]))
      if (now === was) continue
      const delivery = { ...now, ...keyOf([was]) }
      changed.push(delivery)
      days.push({ was, now: delivery })
      if (!isMoved) continue
      moved.push(movedTo(delivery, was.state))
      changes.push({ ...was, at: now.at, count: -1 }, delivery)
    }
    await updateDeliveries(tx, changed)
  }
  const named = await recordHandOvers(tx, steps, made)
  await recordTested(tx, steps, made)
  await changeCounters(tx, toFew.size > 0 ? changes.filter((change) => !toFew.has(change.messageId)) : changes)
  await countLanguages(
    tx,
    named.filter(({ messageId }) => !toFew.has(messageId)),
  )
  await countDeliveryDays(tx, days)
  return { moved, unmoved }
}

/** Those that got their language now: new ones were stored with it. Most messages have none. */
async function recordHandOvers(
  tx: Transaction,
  steps: readonly DeliveryStep[],
  made: readonly PlacedDelivery[],
): Promise<DeliveryInLanguage[]> {
  const named = steps.filter(hasLanguage)
  if (named.length === 0) return []
  const areNew = new Set(made.map(keyText))
  const once = [...new Map(named.toReversed().map((step) => [keyText(step), step])).values()]
  const others = await recordLanguages(
    tx,
    once.filter((step) => !areNew.has(keyText(step))),
  )
  return [...once.filter((step) => areNew.has(keyText(step))), ...others]
}

/** New ones were stored with their variant. Most messages have none. */
async function recordTested(
  tx: Transaction,
  steps: readonly DeliveryStep[],
  made: readonly PlacedDelivery[],
): Promise<void> {
  const given = steps.filter(hasVariant)
  if (given.length === 0 || made.length === steps.length) return
  const areNew = new Set(made.map(keyText))
  await recordVariants(
    tx,
    given.filter((step) => !areNew.has(keyText(step))),
  )
}

function hasVariant(step: DeliveryStep): step is DeliveryStep & DeliveryOfVariant {
  return step.variant !== undefined
}

function hasLanguage(step: DeliveryStep): step is DeliveryStep & DeliveryInLanguage {
  return step.language !== undefined
}

function isToFew({ recipients }: DeliveryStep): boolean {
  return recipients !== undefined && recipients < countedRecipients
}

function groupByDelivery(steps: readonly DeliveryStep[]): Map<string, [DeliveryStep, ...DeliveryStep[]]> {
  const byKey = new Map<string, [DeliveryStep, ...DeliveryStep[]]>()
  for (const step of steps) {
    const key = keyText(step)
    const own = byKey.get(key)
    if (own) own.push(step)
    else byKey.set(key, [step])
  }
  return byKey
}

/** Almost always there is one step, which says all there is to say. */
function newPlace(steps: readonly [DeliveryStep, ...DeliveryStep[]]): PlacedDelivery {
  const [first] = steps
  if (steps.length > 1) {
    const language = steps.find(hasLanguage)?.language
    const { variant, testedAt } = steps.find(hasVariant) ?? {}
    return { ...keyOf(steps), ...courseOf(undefined, steps), language, variant, testedAt } as PlacedDelivery
  }
  return first.state === 'sent' ? { ...first, sentAt: first.at } : first
}

function courseOf(was: DeliveryPlace | undefined, steps: readonly DeliveryStep[]): DeliveryPlace | undefined {
  return steps.reduce<DeliveryPlace | undefined>(applyStep, was)
}

function movedTo(delivery: PlacedDelivery, was?: DeliveryState): MovedDelivery {
  const { appId, messageId, installationNo, state, reason } = delivery
  const moved: MovedDelivery = { appId, messageId, installationNo, state }
  if (reason) moved.reason = reason
  if (was) moved.was = was
  return moved
}

function keyOf([{ appId, messageId, installationNo }]: readonly [DeliveryKey, ...DeliveryKey[]]): DeliveryKey {
  return { appId, messageId, installationNo }
}

function keyText({ appId, messageId, installationNo }: DeliveryKey): string {
  return `${appId}/${messageId}/${installationNo}`
}
