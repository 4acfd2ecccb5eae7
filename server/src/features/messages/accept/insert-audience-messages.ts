import sql, { empty } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { ResolvedAudience } from '../../segments/read/resolve-audience.ts'
import { dependsOnUser } from './depends-on-user.ts'
import type { Draft } from './draft-message.ts'
import { leavePaces } from './paced-work.ts'
import type { ResolvedRecipients } from './resolve-recipients.ts'

/** Higher than the number of any user change. */
const neverRefused = Number.MAX_SAFE_INTEGER

export interface AudienceDraft extends Draft, ResolvedRecipients {
  audience: 'public' | 'query'
  /** Undefined for everybody on the public channel. */
  target?: ResolvedAudience
}

/** Stores messages whose installations are cut into batches later: one batch without a list stands for all of them. */
export async function insertAudienceMessages(
  tx: Pick<Database, 'query'>,
  drafts: readonly AudienceDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  await tx.query(sql`
    with m as materialized (
      select * from ${unnestRows(drafts, 'm', {
        app_id: ['int', (draft) => draft.appId],
        id: ['uuid', (draft) => draft.id],
        accepted_at: ['timestamptz', (draft) => draft.acceptedAt.toISOString()],
        expires_at: ['timestamptz', (draft) => draft.expiresAt.toISOString()],
        recipients: ['int', (draft) => draft.recipients],
        product: ['text', (draft) => draft.product],
        audience: ['text', (draft) => draft.audience],
        channel: ['text', (draft) => draft.channel.name],
        track_id: ['text', (draft) => draft.trackId ?? null],
        client_id: ['text', (draft) => draft.clientId ?? null],
        body: ['jsonb', (draft) => JSON.stringify(draft.body)],
        target: ['jsonb', (draft) => (draft.target ? JSON.stringify(draft.target) : null)],
        audience_id: ['uuid', (draft) => draft.audienceId],
        user_change: ['bigint', userChangeOf],
      })}
    ), queued as (
      insert into delivery_batches (app_id, message_id, lane, stream, audience_id)
      select app_id, id, 'group', 'expand', audience_id from m where recipients > 0
    )${leavePaces(drafts) ?? empty}
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body, target, user_change)
    select app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body, target, user_change from m`)
}

/** Null if the message stays on the device, no matter who uses it: on a public channel, and the same for all. */
function userChangeOf({ audience, channel, body, userChange, asksOfUser }: AudienceDraft): number | null {
  const isPublic = !channel.isPrivate && (audience === 'public' || channel.subscription !== undefined)
  if (!isPublic || asksOfUser || dependsOnUser(body)) return userChange
  return audience === 'public' ? null : neverRefused
}
