import type { Store } from '../../../base/store/store.ts'
import { describeCap, factOfWait } from '../hand-over/describe-hand-over.ts'
import { type HandOverPlan, type PlannedHandOver, planHandOvers } from '../hand-over/plan-hand-overs.ts'
import { isReached, type ProviderStates } from './decide-delivery.ts'
import type { BatchRow, HeldBatch, ItemEnd, PutBack } from './held-batch.ts'
import type { RecipientRow } from './read-recipients.ts'

/**
 * What becomes of those installations of a batch to which a message with a category does not go now, by number. What was
 * handed over before is not decided again, and what ends anyway is left to decideDelivery.
 */
export async function planBatch(
  store: Store,
  { message, row: batch }: HeldBatch,
  rows: readonly RecipientRow[],
  states: ProviderStates,
  at: Date,
): Promise<Map<number, ItemEnd>> {
  const { id, rules, standing, expiresAt } = message
  const open = rows.filter((row) => !row.is_gone && !row.is_done && !row.is_waiting && row.is_addressed)
  if (!rules || open.length === 0 || standing !== 'running' || expiresAt <= at) return new Map()
  const users = new Map<number, { userNo: number; userId: string; isReached: boolean }>()
  for (const row of open) {
    const isReachedHere = isReached(message, row, states)
    const known = users.get(row.user_no)
    if (known) known.isReached ||= isReachedHere
    else users.set(row.user_no, { userNo: row.user_no, userId: row.user_id, isReached: isReachedHere })
  }
  const plan = await planHandOvers(store, { appId: batch.appId, id, rules }, [...users.values()], at)
  return new Map(
    open.flatMap((row): [number, ItemEnd][] => {
      const decision = plan.users.get(row.user_no)
      const end = decision && endOf(plan, decision, row, batch, at)
      return end ? [[row.installation_no, end]] : []
    }),
  )
}

function endOf(
  plan: HandOverPlan,
  decision: PlannedHandOver,
  { installation_no: installationNo }: RecipientRow,
  { stream, wasUnclear }: BatchRow,
  at: Date,
): ItemEnd {
  if (decision.kind === 'go') return undefined
  if (decision.kind === 'wait') {
    const attempt = { outcome: 'waits', detail: JSON.stringify(factOfWait(plan, decision)), at } as const
    const afterMs = decision.until.getTime() - at.getTime()
    return { putBack: { installationNo, provider: stream as PutBack['provider'], afterMs, wasUnclear, attempt } }
  }
  const { reason } = decision
  const ended = { installationNo, state: 'ended', reason, at } as const
  if (reason === 'capped') return { settled: { ...ended, detail: describeCap(decision) } }
  if (reason === 'expired') return { settled: { ...ended, detailCode: decision.detailCode } }
  return { settled: ended }
}
