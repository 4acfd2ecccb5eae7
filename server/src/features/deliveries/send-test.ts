import type { ComposedMessage } from '@peyk/contract'
import sql from 'sql-template-tag'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, db, inTransaction, type OutwardContext, settle } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid, nextId } from '#base/ids.ts'
import { getAppLook } from '../accounts/apps/get-app-look.ts'
import { preferencesUrlFor } from '../categories/preferences/preference-link.ts'
import { type Draft, draftMessage } from '../messages/accept/draft-message.ts'
import { insertPersonalMessages } from '../messages/accept/insert-personal-messages.ts'
import type { NamedDraft } from '../messages/accept/named-draft.ts'
import { checkPushSizes } from '../messages/check/check-push-size.ts'
import { chooseTexts, contentFor } from '../messages/compose/choose-texts.ts'
import { fillTexts } from '../messages/compose/fill-texts.ts'
import { withoutFallback } from '../messages/compose/without-fallback.ts'
import { checkPanelMessage } from '../messages/send/check-panel-message.ts'
import { bindValues } from '../messages/values/bind-values.ts'
import { readAttributes } from './dispatch/read-recipients.ts'
import { readSampleCode } from './dry-run/sample-code.ts'

export interface TestSend extends ComposedMessage {
  installationIds: string[]
}

export interface TestSent {
  count: number
  sent: { id: string; installationId: string; userId: string }[]
}

interface DeviceRow {
  installation_no: number
  installation_id: string
  device_type: string
  language: string | null
  user_no: number
  user_id: string
}

/**
 * [promo-codes.md#who-gets-which-code] A composed message to chosen devices only: a message of its own for each,
 * written for its user with a sample code. It belongs to no campaign, brings no SMS, asks for no channel, and nothing
 * holds it back. Its texts may take long to write, so that is done before the transaction.
 */
export async function sendTest(ctx: OutwardContext, { installationIds, ...composed }: TestSend): Promise<TestSent> {
  const { trackId, category: _none, ...message } = withoutFallback(bindValues(composed))
  checkPanelMessage(message)
  const { product, ...sent } = message
  const draft = draftMessage(
    { ...sent, clientId: 'panel-test' },
    { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now },
  )
  const devices = await findDevices(ctx, [...new Set(installationIds)])
  const drafts = await writeFor(ctx, draft, devices, trackId)
  await checkPushSizes(ctx, drafts)
  const receivers = devices.map((device) => ({
    installationNos: [device.installation_no],
    reaches: [],
    outsideChannel: [],
  }))
  const answer = await settle(ctx, async (inner) => {
    await inTransaction(inner, (tx) => insertPersonalMessages(tx, drafts, receivers))
    return {
      count: devices.length,
      sent: devices.map(({ installation_id, user_id }, index) => ({
        id: (drafts[index] as NamedDraft).id,
        installationId: installation_id,
        userId: user_id,
      })),
    }
  })
  announceWork(ctx.store)
  return answer
}

async function findDevices(ctx: Context, ids: string[]): Promise<DeviceRow[]> {
  const rows = await db(ctx).query<DeviceRow>(sql`
    select i.installation_no, i.id as installation_id, i.device_type, i.language, i.user_no, u.user_id
    from installations i join users u on u.app_id = i.app_id and u.user_no = i.user_no
    where i.app_id = ${ctx.app.id} and i.id = any(${ids.filter(isUuid)}::uuid[]) and i.uninstalled_at is null`)
  const byId = new Map(rows.map((row) => [row.installation_id, row]))
  return ids.map((id) => {
    const row = byId.get(id.toLowerCase())
    if (row) return row
    throw new RequestError('not-found', `There is no installation with the id "${id}", or it was uninstalled.`, {
      details: { field: 'installationIds' },
    })
  })
}

async function writeFor(
  ctx: Context,
  draft: Draft,
  devices: readonly DeviceRow[],
  trackId: string | undefined,
): Promise<NamedDraft[]> {
  const attributes = await readAttributes(db(ctx), ctx.app.id, devices, 'all')
  const promoCode = await readSampleCode(db(ctx), ctx.app.id, trackId)
  const { name } = await getAppLook(ctx)
  const drafts: NamedDraft[] = []
  const variants = draft.body.variants?.map(({ name }) => name) ?? []
  for (const [index, device] of devices.entries()) {
    const variant = variants[index % variants.length]
    const own = contentFor(draft.body, chooseTexts(draft.body, device.language, variant))
    const { content, texts } = await fillTexts(ctx.app.id, own, {
      userId: device.user_id,
      installationId: device.installation_id,
      deviceType: device.device_type,
      attributes: attributes.get(device.installation_no) ?? {},
      promoCode,
      preferencesUrl: preferencesUrlFor(ctx.external, { appId: ctx.app.id, userId: device.user_id }),
    })
    const faulty = texts.find(({ fault }) => fault !== undefined)
    if (faulty) {
      throw new RequestError('invalid-template', `For the user "${device.user_id}": ${faulty.fault}.`, {
        details: { field: faulty.field },
      })
    }
    const { notification } = content
    const body = {
      ...content,
      ...(notification && { notification: { ...notification, title: notification.title ?? name } }),
    }
    drafts.push({ ...draft, id: nextId(ctx.now, draft.acceptedAt), body, userIds: [device.user_id] })
  }
  return drafts
}
