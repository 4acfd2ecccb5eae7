import type { Store } from '#base/store/store.ts'
import type { HandOverRules } from '../hand-over/decide-hand-over.ts'
import { describeCap, factOfWait } from '../hand-over/describe-hand-over.ts'
import {
  type HandOverPlan,
  type HandOverUser,
  type PlannedHandOver,
  planHandOvers,
} from '../hand-over/plan-hand-overs.ts'
import { isReached, type ProviderStates } from './decide-delivery.ts'
import type { BatchRow, HeldBatch, ItemEnd, PutBack } from './held-batch.ts'
import type { RecipientRow } from './read-recipients.ts'

/** By number, what becomes of the installations that a message does not go to now. */
export type Ends = ReadonlyMap<number, ItemEnd>

interface Asked {
  batch: HeldBatch
  rules: HandOverRules
  /** Those it may be handed over to. */
  open: RecipientRow[]
}

/**
 * Decides for batches of messages with a category, and of tests, to whom they go now. What was handed over before is not decided again,
 * and what ends anyway is left to decideDelivery. Nothing is asked for other messages.
 */
export async function planBatches(
  store: Store,
  batches: readonly HeldBatch[],
  recipients: readonly RecipientRow[][],
  statesOf: (appId: number) => ProviderStates,
  at: Date,
): Promise<ReadonlyMap<HeldBatch, Ends>> {
  const asked = batches.flatMap((batch, index) => askFor(batch, recipients[index] ?? [], at))
  const ends = new Map<HeldBatch, Ends>()
  for (const [appId, own] of Map.groupBy(asked, ({ batch }) => batch.row.appId)) {
    own.sort(byAge)
    const messages = own.map(({ batch, rules, open }) => {
      const { message } = batch
      return { id: message.id, rules, users: usersOf(batch, open, (row) => isReached(message, row, statesOf(appId))) }
    })
    const plans = await planHandOvers(store, appId, messages, at)
    for (const [index, { batch, open }] of own.entries()) {
      const plan = plans[index] as HandOverPlan
      ends.set(batch, endsOf(plan, batch.row, open, at))
      if (batch.variants) leaveOut(batch, plan, open)
    }
  }
  return ends
}

/** Who was accepted first has the first turn at a cap. */
function byAge({ batch: one }: Asked, { batch: other }: Asked): number {
  if (one.message.id === other.message.id) return 0
  return one.message.id < other.message.id ? -1 : 1
}

function askFor(batch: HeldBatch, rows: readonly RecipientRow[], at: Date): Asked[] {
  const { rules, standing, expiresAt } = batch.message
  if (!rules || standing !== 'running' || expiresAt <= at) return []
  const open = rows.filter((row) => !row.is_gone && !row.is_done && !row.is_waiting && row.is_addressed)
  return open.length > 0 ? [{ batch, rules, open }] : []
}

function usersOf(
  { variants }: HeldBatch,
  rows: readonly RecipientRow[],
  isReachedBy: (row: RecipientRow) => boolean,
): HandOverUser[] {
  const users = new Map<number, HandOverUser>()
  for (const row of rows) {
    const known = users.get(row.user_no)
    if (known) known.isReached ||= isReachedBy(row)
    else
      users.set(row.user_no, {
        userNo: row.user_no,
        userId: row.user_id,
        isReached: isReachedBy(row),
        assigned: variants?.get(row.installation_no),
      })
  }
  return [...users.values()]
}

function endsOf(plan: HandOverPlan, batch: BatchRow, rows: readonly RecipientRow[], at: Date): Ends {
  const ends = new Map<number, ItemEnd>()
  for (const { installation_no: installationNo, user_no } of rows) {
    const decision = plan.users.get(user_no)
    if (decision && decision.kind !== 'go') ends.set(installationNo, endOf(plan, decision, batch, installationNo, at))
  }
  return ends
}

/** Whom the control group of the app keeps from everything is in no test. */
function leaveOut(batch: HeldBatch, plan: HandOverPlan, rows: readonly RecipientRow[]): void {
  const left = new Map(batch.variants)
  for (const { installation_no, user_no } of rows) {
    const decision = plan.users.get(user_no)
    if (decision?.kind === 'end' && decision.reason === 'control' && !decision.detailCode) left.delete(installation_no)
  }
  batch.variants = left
}

function endOf(
  plan: HandOverPlan,
  decision: Exclude<PlannedHandOver, { kind: 'go' }>,
  { stream, wasUnclear, attempts }: BatchRow,
  installationNo: number,
  at: Date,
): ItemEnd {
  if (decision.kind === 'wait') {
    const attempt = { outcome: 'waits', detail: JSON.stringify(factOfWait(plan, decision)), at } as const
    const afterMs = decision.until.getTime() - at.getTime()
    const putBack = { installationNo, provider: stream as PutBack['provider'], afterMs, wasUnclear }
    if (decision.for !== 'winner') return { putBack: { ...putBack, attempt } }
    // Said once, however often it is looked for.
    return { putBack: { ...putBack, awaitsWinner: true, ...(attempts <= 1 && { attempt }) } }
  }
  const { reason } = decision
  const ended = { installationNo, state: 'ended', reason, at } as const
  if (reason === 'capped') return { settled: { ...ended, detail: describeCap(decision) } }
  return { settled: decision.detailCode ? { ...ended, detailCode: decision.detailCode } : ended }
}
