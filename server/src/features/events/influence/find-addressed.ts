import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface AddressedKey {
  appId: number
  messageId: string
  installationNo: number
}

/**
 * [sending.md#receipts] For each key in order, whether the message was sent to that installation. It has a delivery, or
 * it is listed in a batch: a device can report before the provider's answer is stored. A delivery takes the place of
 * its batch in one commit, so whoever has no delivery is looked for in both with one statement.
 */
export async function findAddressed(tx: Transaction, keys: readonly AddressedKey[]): Promise<boolean[]> {
  if (keys.length === 0) return []
  const addressed = new Set(await ask(tx, keys, withDelivery(keys), 'find-addressed'))
  const missing = keys.filter((key) => !addressed.has(key))
  if (missing.length > 0) {
    const inEither = sql`${withDelivery(missing)} union ${inBatches}`
    for (const key of await ask(tx, missing, inEither, 'find-addressed-in-flight')) addressed.add(key)
  }
  return keys.map((key) => addressed.has(key))
}

async function ask(tx: Transaction, keys: readonly AddressedKey[], query: Sql, name: string): Promise<AddressedKey[]> {
  const rows = await tx.query<{ position: number }>(query, name)
  return rows.map(({ position }) => keys[position - 1] as AddressedKey)
}

/**
 * Devices outside a message's channel were not sent it, nor were those for which it was cancelled before any provider
 * had it. `offset 0` keeps PostgreSQL to one index lookup per key.
 */
function withDelivery(keys: readonly AddressedKey[]): Sql {
  return sql`
    with k as materialized (
      select * from ${unnestRows(
        keys,
        'k',
        {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        },
        { position: 'position' },
      )}
    )
    select k.position::int as position from k cross join lateral (
      select 1 from deliveries
      where app_id = k.app_id and message_id = k.message_id and installation_no = k.installation_no
        and reason is distinct from 'not-in-channel' and (reason = 'cancelled' and provider is null) is not true offset 0
    ) d`
}

/**
 * Each message's batches are read once, however many report. Of a group, which may have thousands, only those that were
 * taken up: nobody was sent the others.
 */
const inBatches = sql`
    select k.position::int from (select distinct app_id, message_id from k) m
    cross join lateral (
      select installation_nos from delivery_batches
      where app_id = m.app_id and message_id = m.message_id and (lane = 'personal' or attempts > 0) offset 0
    ) b
    cross join lateral unnest(b.installation_nos) as listed(installation_no)
    join k on k.app_id = m.app_id and k.message_id = m.message_id and k.installation_no = listed.installation_no`
