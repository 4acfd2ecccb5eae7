import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { preferencesUrlFor } from '../../categories/preferences/preference-link.ts'
import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import type { NeededAttributes } from '../../messages/rendering/needed-values.ts'
import { readAttributes } from '../dispatch/read-recipients.ts'
import type { SampleWanted } from './preview-samples.ts'

interface SampleRow {
  installation_no: number
  installation_id: string
  device_type: string
  user_no: number
  user_id: string
}

/** Whom the samples are written for, by the number of the installation. */
export async function readSampleRecipients(
  { app: { id: appId }, tx, external }: Pick<Context, 'app' | 'external'> & { tx: Transaction },
  wanted: readonly SampleWanted[],
  needed: NeededAttributes,
  sampleCode: string | undefined,
): Promise<Map<number, Recipient>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx.query<SampleRow>(sql`
    select i.installation_no, i.id as installation_id, i.device_type, i.user_no, u.user_id
    from installations i join users u on u.app_id = i.app_id and u.user_no = i.user_no
    where i.app_id = ${appId} and i.installation_no = any(${wanted.map((each) => each.installationNo)}::bigint[])`)
  const attributes = await readAttributes(tx, appId, rows, needed)
  return new Map(
    rows.map((row) => [
      row.installation_no,
      {
        userId: row.user_id,
        installationId: row.installation_id,
        deviceType: row.device_type,
        attributes: attributes.get(row.installation_no) ?? {},
        promoCode: sampleCode,
        preferencesUrl: preferencesUrlFor(external, { appId, userId: row.user_id }),
      },
    ]),
  )
}
