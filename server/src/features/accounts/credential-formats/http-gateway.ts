import { readObject, readText, wrong } from './read-fields.ts'

export const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const

/** Any gateway that takes one HTTP request per SMS. `{{to}}`, `{{text}}` and `{{reference}}` are filled in. */
export interface HttpGatewayCredentials {
  kind: 'http'
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  contentType: keyof typeof contentTypes
  body?: string
  success: SuccessExpression
  dailyLimit: number
}

/** All that is given must hold. */
export interface SuccessExpression {
  /** Statuses that mean accepted; every 2xx when missing. */
  statuses?: number[]
  /** A place in the JSON answer, such as `messages.0.status`, and what must be there. */
  path?: string
  equals?: string | number | boolean
  /** A text that must be in the answer. */
  contains?: string
}

const placeholders = ['to', 'text', 'reference']
const methods = ['GET', 'POST', 'PUT'] as const
/** Headers that belong to the connection, or that we set from contentType. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'content-type',
  'connection',
  'transfer-encoding',
  'te',
  'upgrade',
])
const maxTemplate = 16_384

export function readHttpGateway(from: Record<string, unknown>, dailyLimit: number): HttpGatewayCredentials {
  const method = methods.find((known) => known === from.method)
  if (!method) throw wrong('method: expected GET, POST or PUT.', 'field-form', { field: 'method' })
  const url = readUrl(readText(from, 'url', 'the address of the gateway, such as https://sms.example.com/send'))
  const contentType = readContentType(from.contentType)
  const body = readBody(from, method, contentType)
  const template = url + (body ?? '')
  for (const needed of ['to', 'text']) {
    if (!new RegExp(`{{\\s*${needed}\\s*}}`).test(template)) {
      throw wrong(`Neither url nor body holds {{${needed}}}: the gateway would not know it.`, 'placeholder-missing', {
        name: `{{${needed}}}`,
      })
    }
  }
  return {
    kind: 'http',
    method,
    url,
    headers: readHeaders(from.headers),
    contentType,
    ...(body !== undefined && { body }),
    success: readSuccess(from.success),
    dailyLimit,
  }
}

function readUrl(text: string): string {
  if (text.length > maxTemplate)
    throw wrong(`url is longer than ${maxTemplate} characters.`, 'field-form', { field: 'url' })
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw wrong('url: expected https://… .', 'field-form', { field: 'url' })
  const { origin, username, password } = new URL(text)
  if (username !== '' || password !== '')
    throw wrong('url holds a user and password: put them into headers instead.', 'field-form', { field: 'url' })
  if (/{{|%7B%7B/i.test(origin))
    throw wrong('url: {{…}} may stand in the path and the query, not in the host.', 'field-form', { field: 'url' })
  checkPlaceholders(text, 'url')
  return text
}

function readContentType(sent: unknown): keyof typeof contentTypes {
  if (sent === undefined || sent === null) return 'json'
  if (typeof sent === 'string' && Object.hasOwn(contentTypes, sent)) return sent as keyof typeof contentTypes
  throw wrong('contentType: expected "json", "form" or "text".', 'field-form', { field: 'contentType' })
}

function readBody(from: Record<string, unknown>, method: string, contentType: string): string | undefined {
  if (from.body === undefined || from.body === null) return undefined
  if (method === 'GET')
    throw wrong('body: a GET has none; put {{to}} and {{text}} into url.', 'field-form', { field: 'body' })
  const body = typeof from.body === 'string' ? from.body : JSON.stringify(readObject(from.body, 'body'))
  if (body.length > maxTemplate)
    throw wrong(`body is longer than ${maxTemplate} characters.`, 'field-form', { field: 'body' })
  checkPlaceholders(body, 'body')
  if (contentType === 'json' && !isQuoted(body)) {
    throw wrong(
      'body is not JSON, or {{to}}, {{text}} or {{reference}} stands in it without quotes around.',
      'placeholder-bare',
    )
  }
  return body
}

function checkPlaceholders(template: string, field: string): void {
  for (const [, name] of template.matchAll(/{{\s*([^{}]*?)\s*}}/g)) {
    if (!placeholders.includes(name as string)) {
      throw wrong(`${field} holds {{${name}}}: known are {{to}}, {{text}} and {{reference}}.`, 'placeholder-unknown', {
        name: `{{${name}}}`,
      })
    }
  }
}

/** Filled with a word that is no JSON by itself, a template parses only if every placeholder stands inside quotes. */
function isQuoted(body: string): boolean {
  try {
    JSON.parse(body.replaceAll(/{{\s*\w+\s*}}/g, 'word'))
    return true
  } catch {
    return false
  }
}

function readHeaders(sent: unknown): Record<string, string> {
  if (sent === undefined || sent === null) return {}
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(readObject(sent, 'headers'))) {
    const key = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(key))
      throw wrong(`headers: "${name.slice(0, 40)}" is not a header's name.`, 'field-form', { field: 'headers' })
    if (ownHeaders.has(key)) throw wrong(`headers: ${key} is set by the service.`, 'field-form', { field: 'headers' })
    if (typeof value !== 'string' || !/^[\x20-\x7e\t]{0,4096}$/.test(value)) {
      throw wrong(`headers: the value of ${key} must be a text of visible ASCII characters.`, 'field-form', {
        field: 'headers',
      })
    }
    headers[key] = value
  }
  return headers
}

function readSuccess(sent: unknown): SuccessExpression {
  if (sent === undefined || sent === null) return {}
  const { statuses, path, equals, contains } = readObject(sent, 'success')
  const success: SuccessExpression = {}
  if (statuses !== undefined) {
    const isList = Array.isArray(statuses) && statuses.length > 0 && statuses.length <= 50
    if (!isList || !statuses.every((status) => Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw wrong('success.statuses: expected a list of HTTP statuses such as [200, 202].', 'field-form', {
        field: 'success',
      })
    }
    success.statuses = statuses
  }
  if ((path === undefined) !== (equals === undefined))
    throw wrong('success: path and equals belong together.', 'field-form', { field: 'success' })
  if (path !== undefined) {
    if (typeof path !== 'string' || !/^[^.]+(\.[^.]+){0,19}$/.test(path)) {
      throw wrong(
        'success.path: expected names and numbers with dots between, such as "messages.0.status".',
        'field-form',
        { field: 'success' },
      )
    }
    if (!['string', 'number', 'boolean'].includes(typeof equals)) {
      throw wrong('success.equals: expected a text, a number, true or false.', 'field-form', { field: 'success' })
    }
    success.path = path
    success.equals = equals as string | number | boolean
  }
  if (contains !== undefined) {
    if (typeof contains !== 'string' || contains === '')
      throw wrong('success.contains: expected a text.', 'field-form', { field: 'success' })
    success.contains = contains
  }
  return success
}
