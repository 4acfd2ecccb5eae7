import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import {
  type DueUserChange,
  settleDueUserChanges,
  takeDueUserChanges,
} from '../../installations/users/user-changes-store.ts'
import { giveHandOversBack } from '../hand-over/reserve-hand-overs.ts'
import { takeOutOfInbox } from '../inbox/inbox-store.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { endsByChange, messageColumns } from './decided-for.ts'
import { releaseRefused } from './release-refused.ts'

type Job = Pick<Context, 'store'> & { signal?: AbortSignal }

interface Row {
  app_id: number
  message_id: string
  installation_no: number
  state: string
  has_category: boolean
  at: Date
}

const installationsPerCommit = 100

/**
 * [ADR-0099] Ends what waits in the inbox of an installation that passed from a registered user to somebody else. Nobody
 * is given it from the commit of the change on; this says so in the deliveries, and returns what was taken for them.
 */
export async function settleUserChanges({ store, signal }: Job): Promise<void> {
  for (;;) {
    const taken = await store.transaction(settlePart)
    if (taken < installationsPerCommit || signal?.aborted) return
  }
}

async function settlePart(tx: Transaction): Promise<number> {
  const changes = await takeDueUserChanges(tx, installationsPerCommit)
  if (changes.length === 0) return 0
  const left = await listLeft(tx, changes)
  const waiting = left.filter(({ state }) => state === 'queued').map(keyOf)
  const others = left.filter(({ state }) => state !== 'queued').map(keyOf)
  await takeOutOfInbox(tx, others)
  const refused = { state: 'ended', reason: 'refused', detailCode: 'other-user' } as const
  await advanceDeliveries(
    tx,
    waiting.map(({ at, ...key }) => ({ ...key, ...refused, at })),
  )
  await releaseRefused(tx, waiting)
  for (const [, own] of Map.groupBy(waiting, ({ appId, messageId }) => `${appId}/${messageId}`)) {
    const [first] = own
    if (!first?.hasCategory) continue
    const { appId, messageId } = first
    await giveHandOversBack(tx, { appId, messageId, installationNos: own.map(({ installationNo }) => installationNo) })
  }
  await settleDueUserChanges(tx, changes)
  return changes.length
}

function keyOf({ app_id, message_id, installation_no, has_category, at }: Row) {
  return { appId: app_id, messageId: message_id, installationNo: installation_no, hasCategory: has_category, at }
}

/** What is in their inboxes and is not for whoever has them now. What was cancelled or recalled is not touched. */
function listLeft(tx: Transaction, changes: readonly DueUserChange[]): Promise<Row[]> {
  const keys = [...new Map(changes.map((change) => [`${change.app_id}/${change.installation_no}`, change])).values()]
  return tx.query<Row>(
    sql`select d.app_id, d.message_id, d.installation_no, d.state, m.body->'category' is not null as has_category, peyk_now() as at
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ app_id }) => app_id],
          installation_no: ['bigint', ({ installation_no }) => installation_no],
        })}
        cross join lateral (
          select user_change from installations
          where app_id = k.app_id and installation_no = k.installation_no offset 0
        ) i
        cross join lateral (
          select app_id, message_id, installation_no, state from deliveries
          where app_id = k.app_id and installation_no = k.installation_no and in_inbox offset 0
        ) d
        cross join lateral (select * from messages where app_id = d.app_id and id = d.message_id offset 0) m
        where ${endsByChange(messageColumns)} and m.cancelled_at is null
        order by d.app_id, d.message_id, d.installation_no`,
    'list-left-in-inboxes',
  )
}
