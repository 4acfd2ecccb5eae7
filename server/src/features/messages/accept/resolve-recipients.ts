import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { type Audience, compileAudience } from '../../segments/compile/compile-audience.ts'
import type { Draft } from './draft-message.ts'
import { onChannel, onlyOpen } from './recipients-condition.ts'

/** So many numbers are in one part at most: it is cut into batches in one go. */
const numbersPerPart = 65_536

/** Whom a message goes to, and how many they are. */
export interface ResolvedRecipients {
  audienceId: string
  recipients: number
}

/**
 * [choice 28] Writes down which installations of an audience a message goes to. They are counted by the statement that
 * lists them, and are never looked for again: whatever changes afterwards, nobody is added. Belongs into the transaction
 * that stores the message.
 */
export async function resolveRecipients(
  ctx: Context,
  audience: Audience,
  draft: Draft,
  options: { wasAccepted?: boolean } = {},
): Promise<ResolvedRecipients> {
  const condition = await compileAudience(ctx, audience, draft.acceptedAt, options)
  const [row] = await db(ctx).query<{ count: number }>(sql`
    with listed as (
      insert into audience_parts (app_id, audience_id, up_to, installation_nos, count)
      select ${ctx.app.id}, ${draft.id}, part * ${numbersPerPart}::bigint, array_agg(installation_no), count(*)
      from (
        select i.installation_no, (i.installation_no - 1) / ${numbersPerPart}::bigint + 1 as part
        from installations i where ${condition}${onChannel(draft.channel.subscription)}${onlyOpen(draft.body)}
      ) found
      group by part
      returning count
    )
    select coalesce(sum(count), 0)::int as count from listed`)
  return { audienceId: draft.id, recipients: row?.count ?? 0 }
}
