import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isForgottenInstallation } from '../../installations/users/forgotten-users.ts'
import { type DetailColumns, readDetail } from '../details/detail.ts'
import type { DeliveryPlace } from './delivery-transitions.ts'

export interface DeliveryKey {
  appId: number
  messageId: string
  installationNo: number
}

export type PlacedDelivery = DeliveryKey & DeliveryPlace

/**
 * Answers those that are new. Others are left as they are, and of installations that were deleted with their user since
 * they were read there are none. Usually all are new: then PostgreSQL says only how many, for
 * reading thousands of keys again takes as long as writing them did.
 */
export async function insertDeliveries(
  tx: Transaction,
  deliveries: readonly PlacedDelivery[],
): Promise<readonly PlacedDelivery[]> {
  const has: Few = {
    language: deliveries.some(({ language }) => language !== undefined),
    end: deliveries.some(({ expiresAt }) => expiresAt !== undefined),
    variant: deliveries.some(({ variant }) => variant !== undefined),
  }
  const few = sql`${has.language ? sql`, language` : empty}${has.end ? sql`, expires_at` : empty}${has.variant ? sql`, variant, tested_at` : empty}`
  const columns = sql`app_id, message_id, installation_no, state, reason, provider, detail, detail_code, detail_provider, in_inbox, sent_at, updated_at${few}`
  const made = await tx.query<{
    count: number
    app_id: number | null
    message_id: string | null
    installation_no: number | null
  }>(
    sql`with made as (
          insert into deliveries (${columns})
          select ${columns}
          from ${placed(deliveries, has)}
          where not ${isForgottenInstallation(sql`p.app_id`, sql`p.installation_no`)}
          order by app_id, message_id, installation_no
          on conflict do nothing
          returning app_id, message_id, installation_no
        )
        select c.count, made.app_id, made.message_id, made.installation_no
        from (select count(*) as count from made) c left join made on c.count < ${deliveries.length}`,
    `insert-deliveries${has.language ? '-in-languages' : ''}${has.end ? '-with-ends' : ''}${has.variant ? '-of-variants' : ''}`,
  )
  if (made[0]?.count === deliveries.length) return deliveries
  const news = new Set(made.map((row) => `${row.app_id}/${row.message_id}/${row.installation_no}`))
  return deliveries.filter(({ appId, messageId, installationNo }) =>
    news.has(`${appId}/${messageId}/${installationNo}`),
  )
}

/** What is there of them, locked in the order of their keys until the transaction ends. */
export async function lockDeliveries(tx: Transaction, keys: readonly DeliveryKey[]): Promise<PlacedDelivery[]> {
  const rows = await tx.query<StoredDelivery>(
    sql`select d.app_id, d.message_id, d.installation_no, d.state, d.reason, d.provider, d.detail, d.detail_code, d.detail_provider,
          d.sent_at, d.updated_at
        from ${unnestRows(keys, 'k', {
          app_id: ['int', (key) => key.appId],
          message_id: ['uuid', (key) => key.messageId],
          installation_no: ['bigint', (key) => key.installationNo],
        })}
        join deliveries d using (app_id, message_id, installation_no)
        order by d.app_id, d.message_id, d.installation_no
        for update of d`,
    'lock-deliveries',
  )
  return rows.map(readPlaced)
}

/** For deliveries that are locked. */
export async function updateDeliveries(tx: Transaction, deliveries: readonly PlacedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    sql`update deliveries d
        set state = p.state, reason = p.reason, provider = p.provider, detail = p.detail,
          detail_code = p.detail_code, detail_provider = p.detail_provider, sent_at = p.sent_at,
          updated_at = p.updated_at, in_inbox = d.in_inbox and (p.state <> 'ended' or p.reason = 'unknown')
        from ${placed(deliveries)}
        where d.app_id = p.app_id and d.message_id = p.message_id and d.installation_no = p.installation_no`,
    'update-deliveries',
  )
}

/** What few deliveries have; the others are stored without these columns. */
interface Few {
  language: boolean
  end: boolean
  variant: boolean
}

/** Times go as epoch milliseconds: writing and reading thousands of ISO dates takes longer than storing them. */
function placed(
  deliveries: readonly PlacedDelivery[],
  has: Few = { language: false, end: false, variant: false },
): Sql {
  return sql`(
    select app_id, message_id, installation_no, state, reason, provider, detail, detail_code, detail_provider, in_inbox,
      to_timestamp(sent_at / 1000) as sent_at, to_timestamp(updated_at / 1000) as updated_at${has.language ? sql`, language` : empty}
      ${has.end ? sql`, to_timestamp(expires_at / 1000) as expires_at` : empty}
      ${has.variant ? sql`, variant, to_timestamp(tested_at / 1000) as tested_at` : empty}
    from ${unnestRows(deliveries, 'p', {
      app_id: ['int', (delivery) => delivery.appId],
      message_id: ['uuid', (delivery) => delivery.messageId],
      installation_no: ['bigint', (delivery) => delivery.installationNo],
      state: ['text', (delivery) => delivery.state],
      reason: ['text', (delivery) => delivery.reason ?? null],
      provider: ['text', (delivery) => delivery.provider ?? null],
      detail: ['text', (delivery) => storable(delivery.detail)],
      detail_code: ['text', (delivery) => delivery.detailCode ?? null],
      detail_provider: ['text', (delivery) => delivery.detailProvider ?? null],
      in_inbox: ['boolean', (delivery) => (delivery.inInbox ? 't' : 'f')],
      sent_at: ['float8', (delivery) => delivery.sentAt?.getTime() ?? null],
      updated_at: ['float8', (delivery) => delivery.at.getTime()],
      ...(has.language && { language: ['text', ({ language }: PlacedDelivery) => language ?? null] as const }),
      ...(has.end && {
        expires_at: ['float8', (delivery: PlacedDelivery) => delivery.expiresAt?.getTime() ?? null] as const,
      }),
      ...(has.variant && {
        variant: ['text', ({ variant }: PlacedDelivery) => variant ?? null] as const,
        tested_at: ['float8', ({ testedAt }: PlacedDelivery) => testedAt?.getTime() ?? null] as const,
      }),
    })}
  ) p`
}

const longestDetail = 500

/** A detail may be a provider's own words. */
function storable(detail: string | undefined): string | null {
  return detail === undefined ? null : detail.slice(0, longestDetail).replaceAll('\0', '')
}

interface StoredDelivery extends DetailColumns {
  app_id: number
  message_id: string
  installation_no: number
  state: DeliveryState
  reason: DeliveryReason | null
  provider: string | null
  sent_at: Date | null
  updated_at: Date
}

function readPlaced(row: StoredDelivery): PlacedDelivery {
  return {
    appId: row.app_id,
    messageId: row.message_id,
    installationNo: row.installation_no,
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.provider !== null && { provider: row.provider }),
    ...readDetail(row),
    ...(row.sent_at !== null && { sentAt: row.sent_at }),
    at: row.updated_at,
  }
}
