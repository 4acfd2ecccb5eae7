import { randomBytes } from 'node:crypto'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import type { RunningProcess } from '../measure/process.ts'
import { type PeykDatabase, startPeyk } from './peyk.ts'
import type { RunningSimulator } from './simulator.ts'

/** The service with an app that may send, which can be started more than once. */
export interface SendingPeyk {
  database: PeykDatabase
  start(env?: Record<string, string>): Promise<RunningProcess>
}

/** Above what one process can send: a quota is a setting, not what is measured. */
const pushesPerSecond = 1_000_000

/** `simulatorUrl`: where the service asks for its providers; the simulator's own, or a front's. */
export async function prepareSending(database: PeykDatabase, simulatorUrl: string): Promise<SendingPeyk> {
  const settings = {
    PEYK_MODE: 'development',
    PEYK_LOG_LEVEL: 'warn',
    PEYK_DATA: await makeTemporaryFolder(),
    PEYK_SECRET_KEY: randomBytes(32).toString('hex'),
    PEYK_SIMULATOR_URL: simulatorUrl,
    PEYK_CROWD_SIZE: '0',
    PEYK_PUSH_RATE: String(pushesPerSecond),
  }
  return { database, start: (env = {}) => startPeyk(database, { ...settings, ...env }) }
}

/** Credentials as a person sets them, of the simulator's providers. */
export async function giveCredentials(
  peyk: RunningProcess,
  database: PeykDatabase,
  simulator: RunningSimulator,
): Promise<void> {
  const { fcm } = simulator.providers.credentials
  await callPeyk(peyk, database, 'PUT', '/api/providers/fcm', { ...fcm, simulated: true })
  const webPush = { subject: 'mailto:bench@example.com', simulated: true }
  await callPeyk(peyk, database, 'PUT', '/api/providers/webpush', webPush)
}

export async function callPeyk<Answer>(
  peyk: RunningProcess,
  { token }: PeykDatabase,
  method: string,
  path: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(peyk.url + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-access-token': token },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Peyk answered ${method} ${path} with ${response.status} ${text}`)
  return JSON.parse(text) as Answer
}
