import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { hashDeviceToken } from '../../installations/device-tokens/device-token.ts'
import { readChange } from '../../installations/register/read-change.ts'
import { writeInstallation } from '../../installations/register/write-installations.ts'
import { addTags } from '../../installations/tags/add-tags.ts'
import { addValueTag } from '../../installations/tags/add-value-tag.ts'
import type { ImportRecord } from './read-record.ts'

/** Stores what a line brings, by the verbs of the API. Answers how many devices are new: one that is known stays as it is. */
export async function importRecord(ctx: Context, record: ImportRecord): Promise<{ devices: number }> {
  const { userId, tags, attributes, devices } = record
  let made = 0
  for (const device of devices) {
    if (await isKnown(ctx, device)) continue
    await writeInstallation(ctx, { ...readChange(ctx, device), id: device.id, newId: device.id })
    made++
  }
  if (userId === undefined) return { devices: made }
  const plain = tags.flatMap(({ tag, value }) => (value === null ? [tag] : []))
  if (plain.length > 0) await addTags(ctx, { userId, tags: plain })
  for (const { tag, value } of tags) if (value !== null) await addValueTag(ctx, { userId, tag, value })
  if (Object.keys(attributes).length > 0) await setAttributes(ctx, { userId, attributes })
  return { devices: made }
}

/** An app that has registered by itself since has its token, and must not lose it to what is older. */
async function isKnown(ctx: Context, { id, deviceToken }: ImportRecord['devices'][number]): Promise<boolean> {
  const token = typeof deviceToken === 'object' ? JSON.stringify(deviceToken) : (deviceToken ?? randomUUID())
  const [row] = await db(ctx).query<{ is_known: boolean }>(
    sql`select exists (select from installations where app_id = ${ctx.app.id} and id = ${id})
          or exists (select from installation_details where app_id = ${ctx.app.id} and device_token_hash = ${hashDeviceToken(token)}) as is_known`,
    'is-known-device',
  )
  return row?.is_known === true
}
