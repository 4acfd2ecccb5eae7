import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import sql, { raw } from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'

/** What became of one message on one installation. */
export interface DeliveryStep {
  appId: number
  messageId: string
  installationNo: number
  state: DeliveryState
  /** Why it ended; only for `ended`. */
  reason?: DeliveryReason
  provider?: string
  at: Date
}

/**
 * [choice 43] A state only moves forward. Opened, acted and dismissed are equally far: the first of them stays. An end
 * comes only to what has not reached the device, and is final; `unknown` alone is lifted by what the device reports.
 *
 *   queued 1 ──▶ sent 2 ──▶ delivered 4 ──▶ shown 5 ──▶ opened | acted | dismissed 6
 *      └────────────┴─────▶ ended: unknown 3, any other reason 7
 */
const ranks: Record<Exclude<DeliveryState, 'ended'>, number> = {
  queued: 1,
  sent: 2,
  delivered: 4,
  shown: 5,
  opened: 6,
  acted: 6,
  dismissed: 6,
}
const endRanks = { unknown: 3, other: 7 }

function rankOf({ state, reason }: DeliveryStep): number {
  if (state !== 'ended') return ranks[state]
  return reason === 'unknown' ? endRanks.unknown : endRanks.other
}

function mayFollow(step: DeliveryStep, earlier: DeliveryStep): boolean {
  return rankOf(earlier) < (step.state === 'ended' ? endRanks.unknown : rankOf(step))
}

/** The same two in SQL. */
const rankInStore = (row: 'd' | 'excluded') => {
  const states = Object.entries(ranks).map(([state, rank]) => `when '${state}' then ${rank}`)
  const end = `case ${row}.reason when 'unknown' then ${endRanks.unknown} else ${endRanks.other} end`
  return `case ${row}.state ${states.join(' ')} else ${end} end`
}
const mayFollowInStore = raw(
  `${rankInStore('d')} < case excluded.state when 'ended' then ${endRanks.unknown} else ${rankInStore('excluded')} end`,
)

/** Writes how far deliveries have come. What they had reached before stays, whatever order the reports come in. */
export async function advanceDeliveries(tx: Transaction, steps: readonly DeliveryStep[]): Promise<void> {
  const furthest = [...furthestSteps(steps).values()]
  if (furthest.length === 0) return
  await tx.query(
    sql`insert into deliveries as d (app_id, message_id, installation_no, state, reason, provider, updated_at)
        select app_id, message_id, installation_no, state, reason, provider, updated_at
        from unnest(
          ${furthest.map((step) => step.appId)}::int[], ${furthest.map((step) => step.messageId)}::uuid[],
          ${furthest.map((step) => step.installationNo)}::bigint[], ${furthest.map((step) => step.state)}::text[],
          ${furthest.map((step) => step.reason ?? null)}::text[], ${furthest.map((step) => step.provider ?? null)}::text[],
          ${furthest.map((step) => step.at.toISOString())}::timestamptz[]
        ) as s(app_id, message_id, installation_no, state, reason, provider, updated_at)
        order by app_id, message_id, installation_no
        on conflict (app_id, message_id, installation_no) do update
        set state = excluded.state, reason = excluded.reason, provider = coalesce(excluded.provider, d.provider),
          updated_at = excluded.updated_at
        where ${mayFollowInStore}`,
    'advance-deliveries',
  )
}

/** One step per delivery: a statement cannot change a row twice. */
function furthestSteps(steps: readonly DeliveryStep[]): Map<string, DeliveryStep> {
  const furthest = new Map<string, DeliveryStep>()
  for (const step of steps) {
    const key = `${step.appId}/${step.messageId}/${step.installationNo}`
    const earlier = furthest.get(key)
    if (!earlier || mayFollow(step, earlier)) furthest.set(key, step)
  }
  return furthest
}
