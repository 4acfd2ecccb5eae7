import { readCredentials } from '@peyk/server/features/accounts/providers/read-credentials.ts'
import { openGoogleTokens } from '@peyk/server/features/deliveries/providers/fcm/google-tokens.ts'
import { pino } from 'pino'
import type { RunningSimulator } from './simulator.ts'

/** Headers of a request to FCM with an access token that the simulator's OAuth endpoint gave. */
export async function fetchAccess({ providers }: RunningSimulator): Promise<Readonly<Record<string, string>>> {
  const { credentials } = readCredentials('fcm', providers.credentials.fcm, undefined)
  const endpoints = { ...providers.endpoints, ca: providers.ca }
  const log = pino({ level: 'silent' })
  const tokens = openGoogleTokens(credentials, { endpoints, log, now: () => new Date() })
  const access = await tokens.get()
  await tokens.close()
  if (access.kind !== 'access') throw new Error(`The simulator gave no access token: ${access.detail}`)
  return access.headers
}
