import type { BodyOf, updateDeviceToken as endpoint } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { updateInstallation } from './update-installation.ts'

/** The push provider gave the installation another token. Whose it is does not change with that. */
export async function updateDeviceToken(ctx: Context, input: BodyOf<typeof endpoint>) {
  const { installationId, deviceToken, deviceType } = input
  return updateInstallation(ctx, { id: installationId, body: { deviceToken, ...(deviceType && { deviceType }) } })
}
