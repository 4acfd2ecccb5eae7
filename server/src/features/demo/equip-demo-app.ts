import { isDeepStrictEqual } from 'node:util'
import type { OutwardContext } from '#base/context.ts'
import { findCredentials } from '../accounts/providers/find-credentials.ts'
import { readCredentials } from '../accounts/providers/read-credentials.ts'
import { setProvider } from '../deliveries/provider-setup/set-provider.ts'
import { updateInstallation } from '../installations/register/update-installation.ts'
import { listDemoDevices } from './list-demo-devices.ts'

type TokenProvider = 'fcm' | 'apns' | 'webpush'

/** What the simulator gives an app to reach devices that are not there. */
export interface DemoSimulator {
  /** As the providers themselves give them. */
  credentials: { fcm: object; apns: object; sms: object }
  /** Where browsers' subscriptions lead. */
  webPushOrigin: string
  /** As many live tokens. A browser's are bound to the public key of who sends. */
  makeTokens(provider: TokenProvider, count: number, vapidKey?: string): Promise<string[]>
}

const subject = 'mailto:demo@example.com'

/**
 * Gives the demo app the simulator's credentials, and each of its made-up devices a token there. What a person has set
 * stays; what another simulator issued is worth nothing to this one and is replaced.
 */
export async function equipDemoApp(ctx: OutwardContext, simulator: DemoSimulator): Promise<void> {
  const { fcm, apns, sms } = simulator.credentials
  const results = await Promise.all([
    putCredentials(ctx, 'fcm', fcm),
    putCredentials(ctx, 'apns', apns),
    putCredentials(ctx, 'sms', sms),
    putWebPush(ctx),
  ])
  const isKnown = results.includes('kept')
  await Promise.all([
    putTokens(ctx, simulator, { provider: 'fcm', deviceType: 'android', isKnown }),
    putTokens(ctx, simulator, { provider: 'apns', deviceType: 'ios', isKnown }),
    putTokens(ctx, simulator, { provider: 'webpush', deviceType: 'web', isKnown }),
  ])
}

/** `theirs`: a person has set other ones. */
async function putCredentials(
  ctx: OutwardContext,
  provider: 'fcm' | 'apns' | 'sms',
  sent: object,
): Promise<'theirs' | 'kept' | 'new'> {
  const stored = await findCredentials(ctx, { provider })
  if (stored && !stored.isSimulated) return 'theirs'
  const { credentials } = readCredentials(provider, sent, undefined)
  if (stored && isDeepStrictEqual(stored.credentials, JSON.parse(JSON.stringify(credentials)))) return 'kept'
  await setProvider(ctx, { provider, sent: { ...sent, simulated: true } })
  return 'new'
}

async function putWebPush(ctx: OutwardContext): Promise<void> {
  if (await findCredentials(ctx, { provider: 'webpush' })) return
  await setProvider(ctx, { provider: 'webpush', sent: { subject, simulated: true } })
}

async function putTokens(
  ctx: OutwardContext,
  simulator: DemoSimulator,
  { provider, deviceType, isKnown }: { provider: TokenProvider; deviceType: string; isKnown: boolean },
): Promise<void> {
  const stored = await findCredentials(ctx, { provider })
  if (!stored?.isSimulated || !stored.credentials) return
  const vapidKey = 'publicKey' in stored.credentials ? stored.credentials.publicKey : undefined
  const goodToken = provider === 'webpush' ? simulator.webPushOrigin : ''
  const devices = (await listDemoDevices(ctx)).filter(
    ({ token, ...device }) =>
      device.deviceType === deviceType && (!isKnown || token === null || !token.includes(goodToken)),
  )
  if (devices.length === 0) return
  const tokens = await simulator.makeTokens(provider, devices.length, vapidKey)
  await Promise.all(
    devices.map(({ id }, index) =>
      updateInstallation(ctx, { id, body: { deviceToken: tokens[index] as string, tokenStatus: 'ALLOWED' } }),
    ),
  )
}
