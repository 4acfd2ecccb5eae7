import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { hashDeviceToken, readDeviceToken } from '../../installations/device-tokens/device-token.ts'
import type { ImportRecord } from './read-record.ts'

type Device = ImportRecord['devices'][number]

/** By what a device is known again: its id, and its token, if it has one. */
export function identityOf({ id, deviceToken }: Device): string[] {
  const token = readDeviceToken(deviceToken)
  return token ? [id, hashDeviceToken(token).toString('hex')] : [id]
}

/** An app that has registered by itself since has its token, and must not lose it to what is older. */
export async function findKnownDevices(ctx: Context, devices: readonly Device[]): Promise<ReadonlySet<string>> {
  if (devices.length === 0) return new Set()
  const hashes = devices.flatMap(({ deviceToken }) => {
    const token = readDeviceToken(deviceToken)
    return token ? [hashDeviceToken(token)] : []
  })
  const rows = await db(ctx).query<{ known: string }>(sql`
    select id::text as known from installations
    where app_id = ${ctx.app.id} and id = any(${devices.map(({ id }) => id)}::uuid[])
    union all
    select encode(device_token_hash, 'hex') from installation_details
    where app_id = ${ctx.app.id} and device_token_hash = any(${hashes}::bytea[])`)
  return new Set(rows.map(({ known }) => known))
}
