import sql from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import type { ResolvedAudience } from '../../segments/read/resolve-audience.ts'
import type { Draft } from './draft-message.ts'
import type { ResolvedRecipients } from './resolve-recipients.ts'

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
      select * from unnest(
        ${drafts.map((draft) => draft.appId)}::int[], ${drafts.map((draft) => draft.id)}::uuid[],
        ${drafts.map((draft) => draft.acceptedAt.toISOString())}::timestamptz[],
        ${drafts.map((draft) => draft.expiresAt.toISOString())}::timestamptz[],
        ${drafts.map((draft) => draft.recipients)}::int[], ${drafts.map((draft) => draft.product)}::text[],
        ${drafts.map((draft) => draft.audience)}::text[], ${drafts.map((draft) => draft.channel.name)}::text[],
        ${drafts.map((draft) => draft.trackId ?? null)}::text[], ${drafts.map((draft) => draft.clientId ?? null)}::text[],
        ${drafts.map((draft) => JSON.stringify(draft.body))}::jsonb[],
        ${drafts.map((draft) => (draft.target ? JSON.stringify(draft.target) : null))}::jsonb[],
        ${drafts.map((draft) => draft.audienceId)}::uuid[]
      ) as m(app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body, target, audience_id)
    ), queued as (
      insert into delivery_batches (app_id, message_id, lane, stream, audience_id)
      select app_id, id, 'group', 'expand', audience_id from m where recipients > 0
    )
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body, target)
    select app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body, target from m`)
}
