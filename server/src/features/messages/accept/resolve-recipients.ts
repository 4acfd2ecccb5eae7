import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { bigintArray } from '#base/store/bigint-array.ts'
import { newestUserChange, readNewestUserChange } from '../../installations/users/user-changes-store.ts'
import { compileCheapest } from '../../segments/compile/compile-cheapest.ts'
import { listRules } from '../../segments/condition.ts'
import { listByIndex } from '../../segments/index/ask-index.ts'
import { type ListedPart, numbersIn, numbersPerPart } from '../../segments/index/listed-part.ts'
import { type ReadAudience, readAudience } from '../../segments/read/read-audience.ts'
import type { Audience } from '../../segments/read/resolve-audience.ts'
import type { Draft } from './draft-message.ts'
import { onChannel, onlyOpen } from './recipients-condition.ts'

/** Whom a message goes to, and how many they are. */
export interface ResolvedRecipients {
  audienceId: string
  recipients: number
  /** The app's newest user change when they were looked up, or shortly before. */
  userChange: number
  /** A rule depends on the user, not only on the device. */
  asksOfUser: boolean
}

/**
 * [sending.md#recipients] Writes down which installations of an audience a message goes to. They are counted as they
 * are listed, and are never looked for again: whatever changes afterwards, nobody is added. Belongs into the
 * transaction that stores the message, before whatever else that writes.
 */
export async function resolveRecipients(
  ctx: Context,
  audience: Audience,
  draft: Draft,
  options: { wasAccepted?: boolean } = {},
): Promise<ResolvedRecipients> {
  const userChange = await readNewestUserChange(db(ctx), ctx.app.id)
  const read = await readAudience(ctx, audience, draft.acceptedAt, options)
  const parts = await tryList(ctx, read, draft)
  const found = parts
    ? { recipients: await storeParts(ctx, parts, draft), userChange }
    : await storeFound(ctx, read, draft)
  const rules = read.steps.flatMap(({ condition }) => listRules(condition))
  const asksOfUser = rules.some(({ field: { source } }) => source.from !== 'column' && source.from !== 'channels')
  return { audienceId: draft.id, ...found, asksOfUser }
}

/** The index of segments knows neither who has the app open nor who is on a channel that is one installation's own. */
async function tryList(ctx: Context, { steps }: ReadAudience, draft: Draft): Promise<ListedPart[] | undefined> {
  if (draft.channel.subscription !== undefined || draft.body.live) return undefined
  const conditions = steps.map((step) => step.condition)
  return listByIndex(ctx, conditions, draft.acceptedAt)
}

/** One after the other: so no more than one of them is in memory as numbers. */
async function storeParts(ctx: Context, parts: readonly ListedPart[], { id }: Draft): Promise<number> {
  for (const part of parts) {
    await db(ctx).query(
      sql`insert into audience_parts (app_id, audience_id, up_to, installation_nos, count)
          values (${ctx.app.id}, ${id}, ${part.upTo}, ${bigintArray(numbersIn(part))}::bigint[], ${part.count})`,
      'store-audience-part',
    )
  }
  return parts.reduce((sum, { count }) => sum + count, 0)
}

/** Reads both in one snapshot, so that no change visible in the recipients is newer than the number. */
async function storeFound(
  ctx: Context,
  { steps, scope }: ReadAudience,
  draft: Draft,
): Promise<{ recipients: number; userChange: number }> {
  const conditions = steps.map((step) => step.condition)
  const condition = await compileCheapest(db(ctx), conditions, scope)
  const [row] = await db(ctx).query<{ count: number; user_change: number }>(sql`
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
    select coalesce(sum(count), 0)::int as count, ${newestUserChange(ctx.app.id)} as user_change from listed`)
  return { recipients: row?.count ?? 0, userChange: row?.user_change ?? 0 }
}
