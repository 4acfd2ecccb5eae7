import type { UserProfile } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { findPresence } from '../../installations/connections/find-presence.ts'
import { listDevices, listPastTokens } from './devices-store.ts'
import { getUser } from './get-user.ts'
import { listAttributes, listTags, sumRevenue } from './profile-store.ts'
import { showDevice } from './show-device.ts'

/** Who a user is, on which devices, and what the app knows of them. Somebody who only was written to has none of it. */
export async function getUserProfile(ctx: Context, { userId }: { userId: string }): Promise<UserProfile> {
  const { user_no: userNo, is_guest, created_at } = await getUser(db(ctx), ctx, userId)
  if (userNo === null) {
    return { userId, tags: [], attributes: [], devices: [], revenue: { currencies: [], isPartial: false } }
  }
  const devices = await listDevices(ctx, userNo)
  const numbers = devices.map(({ installation_no }) => installation_no)
  const past = await listPastTokens(ctx, numbers)
  const presence = await findPresence(
    db(ctx),
    numbers.map((installationNo) => ({ appId: ctx.app.id, installationNo })),
  )
  return {
    userId,
    ...(is_guest !== null && { isGuest: is_guest }),
    ...(created_at && { createdAt: created_at.getTime() }),
    tags: await listTags(ctx, userNo),
    attributes: await listAttributes(ctx, userNo),
    devices: devices.map((device) =>
      showDevice(device, past.get(device.installation_no) ?? [], presence.get(device.installation_no)),
    ),
    revenue: await sumRevenue(ctx, userNo),
  }
}
