import { type HttpGatewayCredentials, readHttpGateway } from './http-gateway.ts'
import { readObject, readText, wrong } from './read-fields.ts'

export interface TwilioCredentials {
  kind: 'twilio'
  accountSid: string
  authToken: string
  /** A number in international form, a short code or a sender's name; or the service that has several. */
  sender: { from: string } | { messagingServiceSid: string }
  dailyLimit: number
}

export type SmsCredentials = TwilioCredentials | HttpGatewayCredentials

const defaultDailyLimit = 1_000

/** Reads `{ kind: 'twilio', … }` or `{ kind: 'http', … }`. Throws in plain words. */
export function readSmsCredentials(sent: unknown): SmsCredentials {
  const from = readObject(sent, 'kind ("twilio" or "http") and what it needs')
  const dailyLimit = readDailyLimit(from.dailyLimit)
  if (from.kind === 'twilio') return readTwilio(from, dailyLimit)
  if (from.kind === 'http') return readHttpGateway(from, dailyLimit)
  throw wrong('kind: expected "twilio" or "http".', 'field-form', { field: 'kind' })
}

/** Neither the path nor the query of a gateway is shown: many carry a password there. */
export function shownSmsCredentials(credentials: SmsCredentials): Record<string, string | number> {
  const { kind, dailyLimit } = credentials
  if (kind === 'twilio') return { kind, accountSid: credentials.accountSid, ...credentials.sender, dailyLimit }
  return { kind, method: credentials.method, origin: new URL(credentials.url).origin, dailyLimit }
}

function readTwilio(from: Record<string, unknown>, dailyLimit: number): TwilioCredentials {
  const accountSid = readText(from, 'accountSid', 'the Account SID, which begins with AC')
  if (/^SK/.test(accountSid))
    throw wrong('accountSid is an API key (SK…): expected the Account SID, which begins with AC.', 'field-form', {
      field: 'accountSid',
    })
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw wrong('accountSid: expected AC and 32 hexadecimal digits.', 'field-form', { field: 'accountSid' })
  const authToken = readText(from, 'authToken', 'the Auth Token of the account')
  if (!/^[\x21-\x7e]+$/.test(authToken))
    throw wrong('authToken holds characters that no Auth Token has.', 'field-form', { field: 'authToken' })
  return { kind: 'twilio', accountSid, authToken, sender: readSender(from), dailyLimit }
}

function readSender(from: Record<string, unknown>): TwilioCredentials['sender'] {
  if (from.messagingServiceSid !== undefined && from.from !== undefined) {
    throw wrong('from and messagingServiceSid exclude each other: give one.', 'field-form', { field: 'from' })
  }
  if (from.messagingServiceSid !== undefined) {
    const messagingServiceSid = readText(from, 'messagingServiceSid', 'a text that begins with MG')
    if (/^MG[0-9a-f]{32}$/i.test(messagingServiceSid)) return { messagingServiceSid }
    throw wrong('messagingServiceSid: expected MG and 32 hexadecimal digits.', 'field-form', { field: 'from' })
  }
  const sender = readText(from, 'from', 'a number such as +15005550006, or messagingServiceSid instead')
  const isNumber = /^\+[1-9][0-9]{6,14}$/.test(sender) || /^[0-9]{3,8}$/.test(sender)
  const isName = /^(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11}$/.test(sender)
  if (isNumber || isName) return { from: sender }
  throw wrong(
    'from: expected a number such as +15005550006, a short code, or a name of at most 11 letters and digits.',
    'field-form',
    { field: 'from' },
  )
}

function readDailyLimit(sent: unknown): number {
  if (sent === undefined || sent === null) return defaultDailyLimit
  const limit = typeof sent === 'string' ? Number(sent) : sent
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0 && limit <= 10_000_000) return limit
  throw wrong('dailyLimit: expected a whole number of SMS per day, at most 10,000,000.', 'field-form', {
    field: 'dailyLimit',
  })
}
