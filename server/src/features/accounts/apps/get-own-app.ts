import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { getApprovalAbove } from '../sending/get-approval-above.ts'
import { getGroupCategory } from '../sending/get-group-category.ts'
import { getSendingRules } from '../sending/get-sending-rules.ts'
import { getAppLook } from './get-app-look.ts'
import { getAppZone } from './get-app-zone.ts'
import { getPromoRules } from './get-promo-rules.ts'
import { mayUsersSend } from './may-users-send.ts'

export type OwnApp = contract.AnswerOf<typeof contract.getApp>

/** The app that calls. */
export async function getOwnApp(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<OwnApp> {
  const { name, notificationText, icon } = await getAppLook(ctx)
  const [row] = await db(ctx).query<{ is_on: boolean }>(
    sql`select settings ? 'identitySecret' as is_on from apps where app_id = ${ctx.app.id}`,
  )
  const { toUsers, toPublicChannels } = await mayUsersSend(ctx)
  const rules = await getPromoRules(db(ctx), ctx.app.id)
  const { quietHours, caps, controlGroup } = await getSendingRules(db(ctx), ctx.app.id)
  const groupCategory = await getGroupCategory(db(ctx), ctx.app.id)
  const approvalAbove = await getApprovalAbove(db(ctx), ctx.app.id)
  return {
    appId: ctx.app.label,
    name,
    ...(notificationText !== undefined && { defaultNotificationText: notificationText }),
    ...(icon !== undefined && { defaultIcon: icon }),
    allowUserMessages: toUsers,
    allowPublicUserMessages: toPublicChannels,
    identityVerification: row?.is_on ?? false,
    withholdCodesFromGuests: rules.withholdsFromGuests,
    withholdCodesHours: rules.withheldHours,
    ...(quietHours && { quietHours }),
    caps,
    controlGroup,
    ...(groupCategory !== undefined && { groupCategory }),
    ...(approvalAbove !== undefined && { approvalAbove }),
    zone: await getAppZone(db(ctx), ctx.app.id),
  }
}
