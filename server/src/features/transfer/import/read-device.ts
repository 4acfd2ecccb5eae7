import { hash } from 'node:crypto'
import { type BodyOf, checker, readDeviceType, registerInstallation, show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import { presentFields } from '#base/present-fields.ts'
import { providerOf } from '../../deliveries/choose-path.ts'
import { readDeviceToken } from '../../installations/device-tokens/device-token.ts'
import type { ImportedDevice } from '../../installations/installation.ts'
import { findTokenFault } from './check-push-token.ts'
import { readMoments } from './read-moments.ts'
import { readTimeZone } from './read-time-zone.ts'

export interface ImportDevice {
  id: string
  body: BodyOf<typeof registerInstallation>
  imported: ImportedDevice
}

export interface DeviceReading {
  appLabel: string
  now: Date
  /** Names of device types in the file. If there are any, other values are refused. */
  deviceTypes: ReadonlyMap<string, string>
  /** Why other values are refused, if known. */
  refusedTypes: ReadonlyMap<string, string>
}

type Sent = Readonly<Record<string, unknown>>

const checkDevice = checker(registerInstallation.body as NonNullable<typeof registerInstallation.body>)

/** Fields that are read below. The API's rules apply to the others. */
const readFields = new Set([
  ...['id', 'userId', 'isGuest', 'installedAt', 'launchedAt', 'deviceToken', 'webAuth', 'webP256dh'],
  ...['tokenStatus', 'optedOut', 'timeZone', 'utcOffset', 'subscriptions'],
])

/** Reads a device from its fields by the API's rules. Throws what is wrong with it. */
export function readDevice(sent: Sent, reading: DeviceReading): ImportDevice {
  const { id: given, installedAt, installDate = installedAt, launchedAt, launchTime = launchedAt, subscriptions } = sent
  const tokenStatus = readsAsYes('optedOut', sent.optedOut) ? 'DENIED' : readTokenStatus(sent.tokenStatus)
  const { value, fault: wrong } = checkDevice({
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => !readFields.has(name))),
    ...readMoments({ installDate, launchTime }, reading.now),
    deviceType: readType(sent.deviceType, reading),
    ...presentFields({
      deviceToken: joinToken(sent),
      timeZone: readTimeZone(sent),
      tokenStatus,
      subscriptions: typeof subscriptions === 'string' ? listOf(subscriptions) : subscriptions,
    }),
  }) as { value: ImportDevice['body']; fault?: { field: string; message: string } }
  if (wrong) throw fault(wrong.message)
  const token = readDeviceToken(value.deviceToken) ?? undefined
  const deviceType = readDeviceType(value.deviceType) as string
  const tokenFault = token === undefined ? undefined : findTokenFault(deviceType, token)
  if (tokenFault !== undefined) throw fault(`"deviceToken": ${show(token)} is ${tokenFault}.`)
  if (isUuid(given)) return { id: given.toLowerCase(), body: value, imported: { token, optsOut: false } }
  if (token === undefined) throw fault('"deviceToken" is required.')
  const optsOut = tokenStatus === 'DENIED'
  if (optsOut) delete value.deviceToken
  return { id: idOf(reading.appLabel, token), body: value, imported: { token, optsOut } }
}

function readType(sent: unknown, { deviceTypes, refusedTypes }: DeviceReading): string {
  const type = String(sent ?? '').trim()
  if (type === '') throw fault('"deviceType" is required.')
  if (deviceTypes.size === 0) return type
  const known = deviceTypes.get(type)
  if (known !== undefined) return known
  throw fault(`"deviceType": ${refusedTypes.get(type) ?? `no --device-type says what ${show(type)} is.`}`)
}

/** Exports have a browser's subscription in three columns. */
function joinToken({ deviceToken, webAuth, webP256dh }: Sent): unknown {
  if (typeof deviceToken !== 'string' || deviceToken.startsWith('{')) return deviceToken ?? undefined
  const [auth, p256dh] = [webAuth || undefined, webP256dh || undefined]
  return auth || p256dh ? { endpoint: deviceToken, keys: { p256dh, auth } } : deviceToken
}

/** Accepts the client protocol's words, or OneSignal's numbers, where positive means subscribed. */
function readTokenStatus(sent: unknown): string | undefined {
  const status = sent === undefined || sent === null ? '' : String(sent).trim().toUpperCase()
  if (status === '') return undefined
  if (/^[+-]?\d+$/.test(status)) return Number(status) > 0 ? undefined : 'DENIED'
  if (/^(ALLOWED|DENIED|ERR|NOT_SUPPORTED(:.*)?)$/.test(status))
    return status.startsWith('NOT_') ? String(sent) : status
  throw fault(
    `"tokenStatus": expected "ALLOWED", "DENIED" or a number, which above 0 means allowed, got ${show(sent)}.`,
  )
}

function readsAsYes(field: string, sent: unknown): boolean {
  const word = sent === undefined || sent === null ? '' : String(sent).trim().toLowerCase()
  if (['true', 't', 'yes', 'y', '1'].includes(word)) return true
  if (['', 'false', 'f', 'no', 'n', '0'].includes(word)) return false
  throw fault(`"${field}": expected true or false, got ${show(sent)}.`)
}

/** Always the same for a token, so that a repeated import recognizes the device. */
function idOf(appLabel: string, token: string): string {
  const same = providerOf({ token }) === 'apns' ? token.toLowerCase() : token
  const digits = hash('sha256', `peyk import\n${appLabel}\n${same}`)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

export function listOf(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}

function fault(message: string): RequestError {
  return new RequestError('invalid-request', message)
}
