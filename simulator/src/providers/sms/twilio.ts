import { randomBytes } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { header, type Request } from '../http/request.ts'
import type { ProviderKeys } from '../keys.ts'

/** Twilio's error codes: the HTTP status and the message of each. */
const errors: Record<number, { status: number; message: string }> = {
  20003: { status: 401, message: 'Authenticate' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'Internal Server Error' },
  20503: { status: 503, message: 'Service Unavailable' },
  21211: { status: 400, message: "The 'To' number is not a valid phone number." },
  21602: { status: 400, message: 'Message body is required.' },
  21603: { status: 400, message: "A 'From' phone number is required." },
  21604: { status: 400, message: "A 'To' phone number is required." },
  21606: {
    status: 400,
    message: "The 'From' phone number provided is not a valid, message-capable Twilio phone number.",
  },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit.' },
}

const json = { 'content-type': 'application/json' }
const phoneForm = /^\+[1-9]\d{3,14}$/
const maxCharacters = 1600

export function twilioError(code: number, status?: number): Answer {
  const known = errors[code] ?? { status: 400, message: 'Asked for by a rule of the simulator' }
  const body = {
    code,
    message: known.message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status: status ?? known.status,
  }
  return { status: status ?? known.status, headers: json, body: JSON.stringify(body), reason: String(code) }
}

/** A status without a code gets Twilio's general one. */
export function twilioFault(status: number | undefined, reason: string | undefined): Answer {
  if (reason !== undefined) return twilioError(Number(reason), status)
  if (status !== undefined && status < 300) return { status, headers: json, body: '{}' }
  const general = Object.keys(errors).find((code) => errors[Number(code)]?.status === (status ?? 429))
  return twilioError(Number(general ?? 20500), status)
}

export interface Sms {
  to: string
  from: string | undefined
  text: string
  reference: string | undefined
}

export function readTwilioForm(request: Request): Sms {
  const form = new URLSearchParams(request.body.toString())
  const from = form.get('From') ?? form.get('MessagingServiceSid') ?? undefined
  return { to: form.get('To') ?? '', from, text: form.get('Body') ?? '', reference: undefined }
}

/** `GET /2010-04-01/Accounts/{sid}.json` */
export function twilioAccount(request: Request, sid: string, keys: ProviderKeys['sms']): Answer {
  const stranger = findStranger(request, sid, keys)
  if (stranger !== undefined) return twilioError(stranger)
  const body = { sid, friendly_name: 'Simulated account', status: 'active', type: 'Full' }
  return { status: 200, headers: json, body: JSON.stringify(body) }
}

function findStranger(request: Request, sid: string, keys: ProviderKeys['sms']): number | undefined {
  const expected = `Basic ${Buffer.from(`${keys.accountSid}:${keys.authToken}`).toString('base64')}`
  if (header(request, 'authorization') !== expected) return 20003
  return sid === keys.accountSid ? undefined : 20404
}

/** `POST /2010-04-01/Accounts/{sid}/Messages.json`: Twilio's error code, or undefined. */
export function findTwilioProblem(
  request: Request,
  sms: Sms,
  sid: string,
  keys: ProviderKeys['sms'],
): number | undefined {
  const stranger = findStranger(request, sid, keys)
  if (stranger !== undefined) return stranger
  if (sms.to === '') return 21604
  if (!phoneForm.test(sms.to)) return 21211
  if (sms.from === undefined) return 21603
  if (sms.from !== keys.from && !sms.from.startsWith('MG')) return 21606
  if (sms.text === '') return 21602
  return [...sms.text].length > maxCharacters ? 21617 : undefined
}

export function twilioAccepted(
  { to, from, text }: Sms,
  accountSid: string,
  now: number,
): { sid: string; answer: Answer } {
  const sid = `SM${randomBytes(16).toString('hex')}`
  const date = new Date(now).toUTCString()
  const body = {
    sid,
    account_sid: accountSid,
    api_version: '2010-04-01',
    to,
    from,
    body: text,
    status: 'queued',
    direction: 'outbound-api',
    num_segments: '1',
    num_media: '0',
    price: null,
    price_unit: 'USD',
    error_code: null,
    error_message: null,
    date_created: date,
    date_updated: date,
    date_sent: null,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  }
  return { sid, answer: { status: 201, headers: json, body: JSON.stringify(body) } }
}
