import type { OutwardContext } from '#base/context.ts'
import { findCredentials } from '../accounts/providers/find-credentials.ts'
import type { DeviceType } from './demo-people.ts'
import { listDemoDevices } from './list-demo-devices.ts'

/** A made-up device, as the simulator is told of it: somebody of its crowd uses it. */
export interface CrowdDevice {
  installationId: string
  userId: string
  isGuest: boolean
  platform: DeviceType
  deviceToken: string
  /** Of browsers: the public key that they subscribed with. */
  vapidKey?: string | undefined
  timeZone: string
  launchCount: number
}

export async function listCrowdDevices(ctx: OutwardContext): Promise<CrowdDevice[]> {
  const vapidKey = (await findCredentials(ctx, { provider: 'webpush' }))?.credentials?.publicKey
  return (await listDemoDevices(ctx)).flatMap(({ id, deviceType, token, timeZone, ...device }) => {
    if (token === null) return []
    const ofBrowser = deviceType === 'web' ? { vapidKey } : {}
    const at = timeZone ?? 'UTC'
    return [{ ...device, installationId: id, platform: deviceType, deviceToken: token, timeZone: at, ...ofBrowser }]
  })
}
