import type { UserMessages } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { decidedFor, listInstallationsOf } from '../../deliveries/other-user/decided-for.ts'
import { messageText } from '../message-lines/message-text.ts'

interface Owner {
  userId: string
  userNo: number | null
}

const groupsPerLook = 500

/** The newest messages of a user, and the id of the last one that was looked at, when there may be more. */
export async function findMessageIds(
  ctx: Context,
  { userId, userNo }: Owner,
  before: string | undefined,
  limit: number,
): Promise<{ ids: string[]; lookedUpTo: string | undefined }> {
  const appId = ctx.app.id
  const rows = await db(ctx).query<{ id: string; is_named: boolean; went: boolean }>(sql`
    with named as (
      select message_id as id from message_users
      where app_id = ${appId} and user_id = ${userId} ${before === undefined ? empty : sql`and message_id < ${before}::uuid`}
      order by message_id desc limit ${limit + 1}
    ), groups as (
      select app_id, id, audience, user_change from messages
      where app_id = ${appId} and audience <> 'users' ${before === undefined ? empty : sql`and id < ${before}::uuid`}
      order by id desc limit ${groupsPerLook}
    )
    select id, true as is_named, true as went from named
    union all
    select m.id, false, exists (
      select from deliveries d
      join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
      where d.app_id = ${appId} and d.message_id = m.id and d.installation_no = any(array(${listInstallationsOf({ appId, userNo })}))
        and ${decidedFor} = ${userNo}::bigint)
    from groups m`)
  const named = rows.filter((row) => row.is_named).map((row) => row.id)
  const groups = rows.filter((row) => !row.is_named)
  // Below the end of a list that was cut, the other one may have what this one has not shown yet.
  const ends = [
    ...(named.length > limit ? [lowest(named)] : []),
    ...(groups.length === groupsPerLook ? [lowest(groups.map((row) => row.id))] : []),
  ]
  const end = highest(ends)
  const found = [...new Set([...named, ...groups.filter((row) => row.went).map((row) => row.id)])]
    .filter((id) => end === undefined || id >= end)
    .sort()
    .reverse()
  if (found.length > limit) return { ids: found.slice(0, limit), lookedUpTo: found[limit - 1] }
  return { ids: found, lookedUpTo: end }
}

const lowest = (ids: string[]) => ids.toSorted()[0] as string
const highest = (ids: string[]) => ids.toSorted().at(-1)

interface Row {
  id: string
  accepted_at: Date
  product: 'message' | 'notification'
  audience: 'users' | 'public' | 'query'
  channel: string
  text: string | null
  track_id: string | null
  is_waiting: boolean
  deliveries: UserMessages['data'][number]['deliveries']
}

/**
 * Messages with the deliveries that were decided for the user, even on devices that now belong to somebody else. A
 * message that no longer has a row is left out. `offset 0`: searches only the batches of these messages, not all that
 * wait.
 */
export async function readUserMessages(
  ctx: Context,
  { userNo }: Owner,
  ids: readonly string[],
): Promise<UserMessages['data']> {
  const installationNos = sql`array(${listInstallationsOf({ appId: ctx.app.id, userNo })})`
  const rows = await db(ctx).query<Row>(sql`
    select m.id, m.accepted_at, m.product, m.audience, m.channel, ${messageText} as text, m.track_id,
      exists (select from (
          select installation_nos from delivery_batches
          where app_id = m.app_id and message_id = m.id and state <> 'cancelled' offset 0) b
        where b.installation_nos && array(
          select i.installation_no from installations i
          where i.app_id = m.app_id and i.installation_no = any(${installationNos}) and ${decidedFor} = ${userNo}::bigint)) as is_waiting,
      coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('installationId', i.id, 'deviceType', i.device_type, 'state', d.state,
          'reason', d.reason, 'provider', d.provider, 'updatedAt', (extract(epoch from d.updated_at) * 1000)::bigint))
          order by i.installation_no)
        from installations i join deliveries d on d.app_id = i.app_id and d.message_id = m.id and d.installation_no = i.installation_no
        where i.app_id = m.app_id and i.installation_no = any(${installationNos}) and ${decidedFor} = ${userNo}::bigint), '[]') as deliveries
    from unnest(${[...ids]}::uuid[]) as k(id) join messages m on m.app_id = ${ctx.app.id} and m.id = k.id
    order by m.id desc`)
  return rows.map((row) => ({
    id: row.id,
    acceptedAt: row.accepted_at.getTime(),
    product: row.product,
    audience: row.audience,
    ...(row.channel !== 'default' && { channel: row.channel }),
    text: row.text ?? '',
    ...(row.track_id !== null && { trackId: row.track_id }),
    isWaiting: row.is_waiting,
    deliveries: row.deliveries,
  }))
}
