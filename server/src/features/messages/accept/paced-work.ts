import sql, { empty, type Sql } from 'sql-template-tag'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { Draft } from './draft-message.ts'

interface PacedBatch {
  draft: Draft
  numbers: readonly number[]
}

/**
 * Parts of the statement that stores messages with a throttle: how fast they go, and their batches, which wait for their
 * turn (deliveries/pace/release-paced.ts). They are work like that of groups: nothing that comes later waits behind it.
 */
export function leavePacedBatches(batches: readonly PacedBatch[], isOpen: Sql): Sql | undefined {
  if (batches.length === 0) return undefined
  const drafts = [...new Set(batches.map(({ draft }) => draft))]
  return sql`, paced as (
        insert into delivery_batches (app_id, message_id, lane, installation_nos, expires_at, available_at, paced_from)
        select app_id, message_id, 'group', numbers::bigint[], expires_at, expires_at, peyk_now()
        from ${unnestRows(
          batches,
          'b',
          {
            app_id: ['int', ({ draft }) => draft.appId],
            message_id: ['uuid', ({ draft }) => draft.id],
            numbers: ['text', ({ numbers }) => `{${numbers.join(',')}}`],
            expires_at: ['timestamptz', ({ draft }) => draft.expiresAt.toISOString()],
          },
          { position: 'position' },
        )}
        where ${isOpen}
        order by position
      )${leavePaces(drafts, isOpen) ?? empty}`
}

export function leavePaces(drafts: readonly Draft[], isOpen: Sql = sql`true`): Sql | undefined {
  const paced = drafts.filter(({ body }) => body.throttle)
  if (paced.length === 0) return undefined
  return sql`, paces as (
        insert into message_paces (app_id, message_id, per_minute, next_at)
        select app_id, message_id, per_minute, peyk_now()
        from ${unnestRows(paced, 'p', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ id }) => id],
          per_minute: ['int', ({ body }) => body.throttle?.perMinute],
        })}
        where ${isOpen}
      )`
}
