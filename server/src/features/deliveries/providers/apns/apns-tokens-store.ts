import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'

/** The key's fingerprint is part of it: only who has the private key uses what was signed with it. */
export interface ApnsTokenKey {
  teamId: string
  keyId: string
  keyHash: Buffer
}

export interface StoredApnsToken {
  sealed: Buffer
  ageMs: number
}

export async function findApnsToken(db: Database, key: ApnsTokenKey): Promise<StoredApnsToken | undefined> {
  const [row] = await db.query<StoredApnsToken>(sql`
    select sealed, extract(epoch from clock_timestamp() - issued_at)::float8 * 1000 as "ageMs"
    from apns_tokens where team_id = ${key.teamId} and key_id = ${key.keyId} and key_hash = ${key.keyHash}`)
  return row
}

/** Waits for whoever renews it at the moment. A row that was not there comes back empty and very old. */
export async function lockApnsToken(tx: Transaction, key: ApnsTokenKey): Promise<StoredApnsToken & { now: Date }> {
  await tx.query(sql`
    insert into apns_tokens (team_id, key_id, key_hash, sealed, issued_at)
    values (${key.teamId}, ${key.keyId}, ${key.keyHash}, ''::bytea, to_timestamp(0))
    on conflict do nothing`)
  await tx.query(sql`
    select 1 from apns_tokens
    where team_id = ${key.teamId} and key_id = ${key.keyId} and key_hash = ${key.keyHash} for update`)
  const [row] = await tx.query<StoredApnsToken & { now: Date }>(sql`
    select sealed, extract(epoch from clock_timestamp() - issued_at)::float8 * 1000 as "ageMs", clock_timestamp() as now
    from apns_tokens where team_id = ${key.teamId} and key_id = ${key.keyId} and key_hash = ${key.keyHash}`)
  if (!row) throw new Error('the row of an APNs token vanished under its lock')
  return row
}

export async function storeApnsToken(
  tx: Transaction,
  key: ApnsTokenKey,
  sealed: Buffer,
  issuedAt: Date,
): Promise<void> {
  await tx.query(sql`
    update apns_tokens set sealed = ${sealed}, issued_at = ${issuedAt}
    where team_id = ${key.teamId} and key_id = ${key.keyId} and key_hash = ${key.keyHash}`)
}
