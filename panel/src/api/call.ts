import type { AnswerOf, BodyOf, Endpoint, QueryOf } from '@peyk/contract'
import { isServerLost, recordAnswer, recordDoubt, recordSilence } from './server-state.ts'

/** What the service says when it refuses. `details` may name the field. */
export class ApiFault extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown> | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ErrorBody | undefined, retryAfter: string | null) {
    super(body?.error?.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = body?.error?.code ?? 'unknown'
    this.details = body?.error?.details
    this.requestId = body?.error?.requestId
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter) || undefined
  }
}

/** No answer came: the service, or the way to it, is gone. */
export class NoAnswer extends Error {}

/** An answer that takes longer is worth a look whether the service is there at all. */
const slowMs = 5_000

interface ErrorBody {
  error?: { message?: string; code?: string; details?: Record<string, unknown>; requestId?: string }
}

export type Query = Record<string, string | number | boolean | undefined>

/** What an endpoint takes in its address: every field may be left out. */
export type QueryFor<E> =
  unknown extends QueryOf<E> ? undefined : { [Name in keyof QueryOf<E>]?: QueryOf<E>[Name] | undefined }

/** A body as it is passed on: an endpoint without one has `unknown`, and takes nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: `mutate()` may be called without an argument only when it takes void
export type Sent<Body> = unknown extends Body ? void : Body

interface RequestOptions {
  query?: object | undefined
  body?: unknown
  signal?: AbortSignal | undefined
  /** The same key again has no second effect. */
  idempotencyKey?: string | undefined
}

export interface CallOptions<E, Body = BodyOf<E>> extends RequestOptions {
  query?: QueryFor<E> | undefined
  body?: Sent<Body> | undefined
}

export function withQuery(path: string, query: object | undefined): string {
  const all: [string, unknown][] = Object.entries(query ?? {})
  const given = all.filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** Calls `/panel/api<path>`, which is the endpoint `E`. */
export async function call<E extends Endpoint, Body extends BodyOf<E> = BodyOf<E>>(
  method: string,
  path: string,
  options: CallOptions<E, Body> = {},
): Promise<AnswerOf<E>> {
  const response = await request(method, path, options)
  return response.json().catch(() => undefined)
}

/** The answer when it is a good one. All else is thrown: what the service refused, and its silence. */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query, body, signal, idempotencyKey } = options
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const silence = new AbortController()
  const doubt = setTimeout(() => void lookForService(method === 'GET' ? silence : undefined), slowMs)
  const response = await fetch(`/panel/api${withQuery(path, query)}`, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  })
    .catch((error: Error) => {
      if (error.name === 'AbortError' && !silence.signal.aborted) throw error
      recordSilence()
      throw new NoAnswer()
    })
    .finally(() => clearTimeout(doubt))
  if (response.ok) {
    recordAnswer()
    return response
  }
  const answer = await response.json().catch(() => undefined)
  // A proxy in front of a service that is gone answers too, but not in our words.
  if (response.status >= 502 && (answer as ErrorBody | undefined)?.error === undefined) {
    recordSilence()
    throw new NoAnswer()
  }
  recordAnswer()
  throw new ApiFault(response.status, answer, response.headers.get('retry-after'))
}

/** A question is given up when the service does not answer anything, and asked again when it does; a change is waited for. */
async function lookForService(question: AbortController | undefined): Promise<void> {
  await recordDoubt()
  if (isServerLost()) question?.abort()
}

export function appPath(appId: string, path: string): string {
  return `/apps/${encodeURIComponent(appId)}${path}`
}

/** For downloads and streams. */
export function appUrl(appId: string, path: string, query?: Query): string {
  return withQuery(`/panel/api${appPath(appId, path)}`, query)
}
