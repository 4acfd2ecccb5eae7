import type { DryRun } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Database } from '../../base/store/store.ts'
import { allowedBytes } from '../messages/payloads/compile-push.ts'
import type { CompiledPush, Recipient, RenderedPush, Way } from '../messages/payloads/compiled-push.ts'
import type { Payload } from '../messages/payloads/payload.ts'
import { readAttributes } from './dispatch/read-recipients.ts'

type Sample = DryRun['samples'][number]

/** A way of a push and an installation that it leads to. */
export interface SampleWanted extends Way {
  installationNo: number
}

interface SampleRow {
  installation_no: number
  installation_id: string
  device_type: string
  user_no: number
  user_id: string
}

/** What those installations would be given, as the delivery itself would write it. */
export async function writeSamples(
  database: Database,
  appId: number,
  wanted: readonly SampleWanted[],
  compiled: CompiledPush,
  { at, sampleCode }: { at: Date; sampleCode: string | undefined },
): Promise<Sample[]> {
  if (wanted.length === 0) return []
  const rows = await database.query<SampleRow>(sql`
    select i.installation_no, i.id as installation_id, i.device_type, i.user_no, u.user_id
    from installations i join users u on u.app_id = i.app_id and u.user_no = i.user_no
    where i.app_id = ${appId} and i.installation_no = any(${wanted.map((each) => each.installationNo)}::bigint[])`)
  const attributes = await readAttributes(database, appId, rows, compiled.attributes)
  const recipients = new Map(
    rows.map((row): [number, Recipient] => [
      row.installation_no,
      {
        userId: row.user_id,
        installationId: row.installation_id,
        deviceType: row.device_type,
        attributes: attributes.get(row.installation_no) ?? {},
        promoCode: sampleCode,
      },
    ]),
  )
  await compiled.writeApart(appId, [...recipients.values()])
  return wanted.flatMap(({ installationNo, provider, platform }) => {
    const recipient = recipients.get(installationNo)
    if (!recipient) return []
    const push = compiled.render({ provider, platform }, at, recipient)
    const { installationId, userId } = recipient
    return { provider, platform, installationId, userId, allowed: allowedBytes[provider], ...shown(push) }
  })
}

function shown(push: RenderedPush): Partial<Sample> {
  if (push.kind === 'refused') return { ...(push.bytes !== undefined && { bytes: push.bytes }), fault: push.detail }
  return { bytes: push.bytes, ...request(push.payload) }
}

function request(payload: Payload): Pick<Sample, 'headers' | 'payload'> {
  switch (payload.provider) {
    case 'fcm':
      return { payload: { message: JSON.parse(`{${payload.fields}}`) } }
    case 'apns':
      return {
        headers: {
          'apns-push-type': payload.pushType,
          'apns-priority': String(payload.priority),
          'apns-collapse-id': payload.collapseId,
        },
        payload: JSON.parse(payload.body),
      }
    case 'webpush':
      return { headers: { Urgency: payload.urgency, Topic: payload.topic }, payload: JSON.parse(payload.body) }
  }
}
