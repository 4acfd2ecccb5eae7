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

/** In SQL: the rank of a row, and whether a step (excluded) may follow what is stored (d). */
const rank = (row: 'd' | 'excluded') => {
  const states = Object.entries(ranks).map(([state, rank]) => `when '${state}' then ${rank}`)
  const end = `case ${row}.reason when 'unknown' then ${endRanks.unknown} else ${endRanks.other} end`
  return `case ${row}.state ${states.join(' ')} else ${end} end`
}
const mayFollow = raw(
  `${rank('d')} < case excluded.state when 'ended' then ${endRanks.unknown} else ${rank('excluded')} end`,
)

/** Writes how far deliveries have come. What they had reached before stays, whatever order the reports come in. */
export async function advanceDeliveries(tx: Transaction, steps: readonly DeliveryStep[]): Promise<void> {
  for (const round of toRounds(steps)) await writeSteps(tx, round)
}

/**
 * A statement changes a row once, so several steps of one delivery go in rounds. What a device reports is one step, the
 * furthest; whether an end counts depends on what is stored, so it is a step of its own.
 */
function toRounds(steps: readonly DeliveryStep[]): DeliveryStep[][] {
  const byDelivery = new Map<string, DeliveryStep[]>()
  for (const step of steps) {
    const key = `${step.appId}/${step.messageId}/${step.installationNo}`
    const own = byDelivery.get(key) ?? []
    const last = own.at(-1)
    if (!last || last.state === 'ended' || step.state === 'ended') own.push(step)
    else if (ranks[last.state] < ranks[step.state]) own[own.length - 1] = step
    byDelivery.set(key, own)
  }
  const rounds: DeliveryStep[][] = []
  for (const own of byDelivery.values()) {
    for (const [round, step] of own.entries()) {
      const others = rounds[round]
      if (others) others.push(step)
      else rounds.push([step])
    }
  }
  return rounds
}

async function writeSteps(tx: Transaction, steps: readonly DeliveryStep[]): Promise<void> {
  await tx.query(
    sql`insert into deliveries as d (app_id, message_id, installation_no, state, reason, provider, updated_at)
        select app_id, message_id, installation_no, state, reason, provider, updated_at
        from unnest(
          ${steps.map((step) => step.appId)}::int[], ${steps.map((step) => step.messageId)}::uuid[],
          ${steps.map((step) => step.installationNo)}::bigint[], ${steps.map((step) => step.state)}::text[],
          ${steps.map((step) => step.reason ?? null)}::text[], ${steps.map((step) => step.provider ?? null)}::text[],
          ${steps.map((step) => step.at.toISOString())}::timestamptz[]
        ) as s(app_id, message_id, installation_no, state, reason, provider, updated_at)
        order by app_id, message_id, installation_no
        on conflict (app_id, message_id, installation_no) do update
        set state = excluded.state, reason = excluded.reason, provider = coalesce(excluded.provider, d.provider),
          updated_at = excluded.updated_at
        where ${mayFollow}`,
    'advance-deliveries',
  )
}
