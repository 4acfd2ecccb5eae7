import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { type Reach, reachColumns, reachJoins } from '../../installations/read/reach.ts'
import { type NeededAttributes, needsAny } from '../../messages/rendering/needed-values.ts'
import { isForUser, type MessageColumns } from '../other-user/decided-for.ts'
import type { HeldBatch } from './held-batch.ts'

/** An installation of a batch as it is now. */
export interface RecipientRow extends Reach {
  /** The message is for the user who is logged in there: see other-user/decided-for.ts. */
  is_addressed: boolean
  /** It waits in the inbox already: whoever held the batch before got this far, and its client was told. */
  is_waiting: boolean
  /** An earlier holder of the batch got further than that. */
  is_done: boolean
  /** Its own, or the one in which the message was handed over to it before: that one stays. Read where a message has several. */
  language?: string | null
  /** The guest who became its user and may have been given a promo code. */
  guest_user_no?: number | null
}

/** Of installations that were looked at when the message was accepted, just now. */
export function newRecipient(reach: Reach): RecipientRow {
  return { ...reach, is_addressed: true, is_waiting: false, is_done: false }
}

const batchColumns: MessageColumns = {
  appId: sql`b.app_id`,
  id: sql`b.message_id`,
  isPersonal: sql`b.is_personal`,
  refusedAfter: sql`b.refused_after`,
}

/** Those of each batch. `offset 0` keeps PostgreSQL to one index lookup per number, whatever it believes about the tables. */
export async function readRecipients(
  database: Database,
  batches: readonly HeldBatch[],
  returningMs: number,
): Promise<RecipientRow[][]> {
  const hasLanguages = batches.some(({ message }) => message.compiled.languageFor)
  const inLanguages = (part: Sql) => (hasLanguages ? part : empty)
  const rows = await database.query<RecipientRow & { batch: number }>(
    sql`
      select b.position::int as batch, ${reachColumns(returningMs)}, i.guest_user_no,
        ${isForUser(batchColumns, sql`u.user_id`)} as is_addressed,
        coalesce(stored.state = 'queued', false) as is_waiting, coalesce(stored.state <> 'queued', false) as is_done
        ${inLanguages(sql`, coalesce(stored.language, i.language) as language`)}
      from ${unnestRows(
        batches,
        'b',
        {
          app_id: ['int', ({ row }) => row.appId],
          message_id: ['uuid', ({ row }) => row.messageId],
          numbers: ['text', ({ row }) => `{${row.installationNos.join(',')}}`],
          is_personal: ['boolean', ({ message }) => message.audience === 'users'],
          refused_after: ['bigint', ({ message }) => message.refusedAfter],
          is_again: ['boolean', ({ row }) => row.attempts > 1],
        },
        { position: 'position' },
      )}
      cross join lateral unnest(b.numbers::bigint[]) as listed(installation_no)
      cross join lateral (
        select * from installations where app_id = b.app_id and installation_no = listed.installation_no offset 0
      ) i
      cross join lateral (select user_id from users where app_id = b.app_id and user_no = i.user_no offset 0) u
      ${reachJoins}
      left join lateral (
        select state${inLanguages(sql`, language`)} from deliveries
        where b.is_again and app_id = b.app_id and message_id = b.message_id and installation_no = listed.installation_no
        offset 0
      ) stored on true`,
    hasLanguages ? 'read-recipients-in-languages' : 'read-recipients',
  )
  const recipients = batches.map((): RecipientRow[] => [])
  for (const row of rows) recipients[row.batch - 1]?.push(row)
  return recipients
}

/** A user's attributes with those of the installation over them, by installation number. Only those that are needed. */
export async function readAttributes(
  database: Database,
  appId: number,
  recipients: readonly Pick<RecipientRow, 'installation_no' | 'user_no'>[],
  needed: NeededAttributes,
): Promise<Map<number, Record<string, unknown>>> {
  if (recipients.length === 0 || !needsAny(needed)) return new Map()
  const isNeeded = needed === 'all' ? empty : sql`and name = any(${[...needed]}::text[])`
  const userNos = [...new Set(recipients.map((row) => row.user_no))]
  const rows = await database.query<{ is_own: boolean; no: number; name: string; value: unknown }>(
    sql`
      select false as is_own, user_no as no, name, value from user_attributes
      where app_id = ${appId} and user_no = any(${userNos}::bigint[]) ${isNeeded}
      union all
      select true, installation_no, name, value from installation_attributes
      where app_id = ${appId} and installation_no = any(${recipients.map((row) => row.installation_no)}::bigint[]) ${isNeeded}`,
    needed === 'all' ? 'read-recipient-attributes' : 'read-needed-attributes',
  )
  const byUser = new Map<number, Record<string, unknown>>()
  const byInstallation = new Map<number, Record<string, unknown>>()
  for (const { is_own, no, name, value } of rows) {
    const all = is_own ? byInstallation : byUser
    const own = all.get(no) ?? (Object.create(null) as Record<string, unknown>)
    own[name] = value
    all.set(no, own)
  }
  return new Map(
    recipients.map(({ installation_no, user_no }) => {
      const attributes = Object.assign(Object.create(null), byUser.get(user_no), byInstallation.get(installation_no))
      return [installation_no, attributes]
    }),
  )
}
