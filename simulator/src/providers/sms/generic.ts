import type { Answer } from '../http/answer.ts'
import { header, type Request } from '../http/request.ts'
import { readObject } from '../json.ts'
import type { Sms } from './twilio.ts'

const json = { 'content-type': 'application/json' }

export interface GenericSms extends Sms {
  apiKey: string | undefined
}

/** `/sms/send`: GET with a query, or POST with JSON or a form: `to`, `text`, `from`, `reference`, `apiKey`. */
export function readGenericRequest(request: Request): GenericSms {
  const fields = readFields(request)
  const bearer = /^Bearer (.+)$/i.exec(header(request, 'authorization') ?? '')?.[1]
  return {
    to: fields.to ?? '',
    from: fields.from,
    text: fields.text ?? '',
    reference: fields.reference,
    apiKey: bearer ?? header(request, 'x-api-key') ?? fields.apiKey,
  }
}

function readFields(request: Request): Record<string, string | undefined> {
  if (request.method === 'GET') return Object.fromEntries(new URL(request.path, 'http://sms').searchParams)
  if (!header(request, 'content-type')?.startsWith('application/json')) {
    return Object.fromEntries(new URLSearchParams(request.body.toString()))
  }
  const fields = Object.entries(readObject(request.body.toString()) ?? {})
  return Object.fromEntries(fields.map(([name, value]) => [name, value === null ? undefined : String(value)]))
}

export function findGenericProblem(sms: GenericSms, apiKey: string): Answer | undefined {
  if (sms.apiKey !== apiKey) return genericError(401, 'The API key is wrong or missing')
  if (!/^\+?\d{4,15}$/.test(sms.to)) return genericError(400, 'to is not a phone number')
  return sms.text === '' ? genericError(400, 'text is required') : undefined
}

export function genericError(status: number, error: string): Answer {
  return { status, headers: json, body: JSON.stringify({ status: 'error', error }), reason: error }
}

export function genericAccepted(id: string): Answer {
  return { status: 200, headers: json, body: JSON.stringify({ status: 'ok', id }) }
}
