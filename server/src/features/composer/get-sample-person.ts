import type { BodyOf, panelSamplePerson, SamplePerson } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { getAppLook } from '../accounts/apps/get-app-look.ts'
import { readAttributes } from '../deliveries/dispatch/read-recipients.ts'
import { listAttributeNames } from '../installations/attributes/list-attribute-names.ts'
import { findAny, findPerson, findRecipient, type PersonRow } from './find-person.ts'

/** Somebody to try texts on, with what templates may ask for and the values that it has there. */
export async function getSamplePerson(
  ctx: Context,
  { userId, among }: BodyOf<typeof panelSamplePerson>,
): Promise<SamplePerson> {
  const recipient = async () => among && (await findRecipient(ctx, among))
  const row = userId === undefined ? ((await recipient()) ?? (await findAny(ctx))) : await findPerson(ctx, userId)
  const names = await listAttributeNames(ctx)
  const values = row ? ((await readAttributes(db(ctx), ctx.app.id, [row], 'all')).get(row.installation_no) ?? {}) : {}
  const { name, notificationText, icon } = await getAppLook(ctx)
  return {
    ...(row && { person: show(row) }),
    attributes: names.map((each) => ({ ...each, ...(each.name in values && { value: values[each.name] }) })),
    look: { name, ...(notificationText !== undefined && { notificationText }), ...(icon !== undefined && { icon }) },
  }
}

function show({ user_id, installation_id, device_type }: PersonRow): NonNullable<SamplePerson['person']> {
  return { userId: user_id, installationId: installation_id, deviceType: device_type }
}
