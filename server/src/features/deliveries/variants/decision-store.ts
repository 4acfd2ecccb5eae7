import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import type { Picked } from './pick-winner.ts'

export interface OfMessage {
  appId: number
  messageId: string
}

export interface Decision extends Picked {
  decidedAt: Date
}

export interface TestCourse {
  decision: Decision | undefined
  /** Some of the test is still in the work-list. What a paused provider keeps does not count. */
  isOpen: boolean
}

/** What was decided of a message, and whether its test is still being handed over: as they are at one moment. */
export async function readCourse(database: Database, { appId, messageId }: OfMessage): Promise<TestCourse> {
  const [row] = await database.query<{
    is_open: boolean
    variant: string | null
    why: Picked['why'] | null
    decided_at: Date | null
  }>(
    sql`select w.variant, w.why, w.decided_at, exists (
            select from delivery_batches
            where app_id = ${appId} and message_id = ${messageId} and state = 'queued' and awaits_winner is not true
          ) as is_open
        from (select) as one
        left join variant_decisions w on w.app_id = ${appId} and w.message_id = ${messageId}`,
    'read-course-of-test',
  )
  const { is_open: isOpen = false, variant = null, why = null, decided_at: decidedAt = null } = row ?? {}
  return { isOpen, decision: variant !== null && why && decidedAt ? { variant, why, decidedAt } : undefined }
}

/** When the last of the test was handed over; when the message was accepted, where nobody was in it. */
export async function readTestEnd(database: Database, { appId, messageId }: OfMessage): Promise<Date | undefined> {
  const [row] = await database.query<{ last_at: Date | null }>(
    sql`select coalesce(
          (select max(tested_at) from deliveries where app_id = ${appId} and message_id = ${messageId}),
          (select accepted_at from messages where app_id = ${appId} and id = ${messageId})) as last_at`,
    'read-end-of-test',
  )
  return row?.last_at ?? undefined
}

/** Whoever comes first decides; of a message that is stopped or has expired nobody does. Answers whether it was this one. */
export async function storeDecision(
  tx: Transaction,
  { appId, messageId }: OfMessage,
  { variant, why, decidedAt }: Decision,
): Promise<boolean> {
  const rows = await tx.query(
    sql`insert into variant_decisions (app_id, message_id, variant, why, decided_at)
        select app_id, id, ${variant}, ${why}, ${decidedAt} from messages
        where app_id = ${appId} and id = ${messageId} and cancelled_at is null and paused_at is null and expires_at > ${decidedAt}
        on conflict do nothing
        returning 1 as stored`,
    'store-decision',
  )
  return rows.length > 0
}
