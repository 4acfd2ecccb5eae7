import { join } from 'node:path'
import type { SimulatedProviders, SimulatedTokens } from '@peyk/simulator'
import type { Config } from '#base/config.ts'
import type { Endpoints } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import type { DemoSimulator } from '#features/demo/equip-demo-app.ts'
import type { CrowdDevice } from '#features/demo/list-crowd-devices.ts'
import { CommandError } from '../command.ts'

/** The simulator that stands for the providers in development, in this process or another: one way to talk to it. */
export interface OpenSimulator extends DemoSimulator {
  url: string
  endpoints: Endpoints
  /** Its phones are to register here. The first time there are none: then the demo's user gets one of each kind. */
  useService(service: PhoneService): Promise<void>
  close(): Promise<void>
}

export interface PhoneService {
  baseUrl: string
  clientKey: string
  /** For phones that hold the own connection. */
  mqttUrl: string
  /** Its app is to have a crowd of made-up users, of this size if one is named, who use these devices, too. */
  crowd?: { size?: number; devices?: CrowdDevice[] }
}

const demoUser = 'user-1'
const demoPhones = [
  { platform: 'android' },
  { platform: 'ios' },
  { platform: 'web' },
  { platform: 'android', provider: 'none' },
]
const patienceMs = 10_000

export async function openSimulator(config: Config, log: Logger): Promise<OpenSimulator> {
  const { url, close } = config.simulatorUrl === undefined ? await startOwn(config, log) : theirs(config.simulatorUrl)
  try {
    const { endpoints, ca, credentials } = await call<SimulatedProviders>(url, 'GET', '/providers')
    const { webPush, ...others } = endpoints
    const { key: privateKey, ...apns } = credentials.apns
    return {
      url,
      endpoints: { ...others, ca },
      webPushOrigin: webPush,
      credentials: {
        fcm: credentials.fcm,
        apns: { ...apns, privateKey },
        sms: { kind: 'twilio', ...credentials.sms.twilio },
      },
      makeTokens: (provider, count, vapidKey) =>
        call<SimulatedTokens>(url, 'POST', '/tokens', { provider, count, vapidKey }).then(({ tokens }) => tokens),
      useService: (service) => useService(url, service),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Also one that is still being opened, or could not be. */
export async function closeSimulator(opening: Promise<OpenSimulator>): Promise<void> {
  await opening.then(({ close }) => close()).catch(() => undefined)
}

async function startOwn(config: Config, log: Logger): Promise<{ url: string; close(): Promise<void> }> {
  const { SimulatorRunsAlready, startSimulator } = await import('@peyk/simulator')
  try {
    return await startSimulator({
      port: config.simulatorPort,
      stateFile: join(config.dataFolder, 'simulator.json'),
      onFault: (error) => log.warn({ reason: error.message }, 'simulator'),
    })
  } catch (error) {
    if (error instanceof SimulatorRunsAlready) return theirs(error.url)
    throw portInUse(error, config.simulatorPort)
  }
}

export function portInUse(error: unknown, port: number): unknown {
  if ((error as { code?: string }).code !== 'EADDRINUSE') return error
  const message = `Port ${port} is in use: end what uses it, or set PEYK_SIMULATOR_PORT to another one.`
  return new CommandError(message, { cause: error })
}

function theirs(url: string): { url: string; close(): Promise<void> } {
  return { url: url.replace(/\/+$/, ''), close: async () => {} }
}

async function useService(url: string, service: PhoneService): Promise<void> {
  await call(url, 'PUT', '/service', service)
  if ((await call<unknown[]>(url, 'GET', '/phones')).length > 0) return
  for (const phone of demoPhones) await call(url, 'POST', '/phones', { ...phone, userId: demoUser })
}

async function call<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const init = {
    method,
    signal: AbortSignal.timeout(patienceMs),
    // The calls are far apart: a connection that is kept may be closed just when the next one is sent.
    headers: { connection: 'close', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }
  const response = await fetch(url + path, init).catch((error) => {
    const reason = String(error.cause?.code ?? error.message)
    throw new CommandError(
      `No simulator answers at ${url} (${reason}): start one with peyk simulator, or unset PEYK_SIMULATOR_URL.`,
      { cause: error },
    )
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as T
  const reason = (answer as { error?: { message?: string } } | undefined)?.error?.message
  if (response.status === 409 && reason !== undefined) throw new CommandError(reason)
  throw new CommandError(
    `What answers at ${url} is not a simulator of this version: ${method} ${path} gave ${response.status}.`,
  )
}
