import type { AnswerOf, BodyOf, Endpoint } from '@peyk/contract'
import { isObject, parse } from './message.ts'

/** `code` is a word of the service's list of errors, or one of `network`, `storage`, `unsupported`, `no-installation`. */
export class PeykError extends Error {
  readonly code: string
  readonly status: number | undefined
  /** The service asked not to be asked again before. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, status?: number, retryAfterMs?: number) {
    super(message)
    this.name = 'PeykError'
    this.code = code
    this.status = status
    this.retryAfterMs = retryAfterMs
  }

  /** It may work later, unchanged. */
  get isTemporary(): boolean {
    return this.status === undefined
      ? this.code === 'network'
      : [408, 409, 429].includes(this.status) || this.status >= 500
  }
}

export interface Service {
  baseUrl: string
  clientKey: string
}

/** What an endpoint takes; JSON leaves out what is undefined. */
export type Sent<E> = {
  [K in keyof BodyOf<E>]: object extends Pick<BodyOf<E>, K> ? BodyOf<E>[K] | undefined : BodyOf<E>[K]
}

interface Call<E> {
  method?: 'GET' | 'POST' | 'PUT'
  body?: Sent<E>
  /** The same call with the same key has its effect once. */
  idempotencyKey?: string
}

const callLimitMs = 30_000
const longestPauseMs = 60 * 60 * 1_000
/** Browsers send 64 KiB even when the page is left meanwhile: of all requests under way together. */
const maxKeepAliveBytes = 60_000

/** Asks the endpoint `E` of the service; whatever is no success is thrown as a PeykError. */
export async function callService<E extends Endpoint>(
  { baseUrl, clientKey }: Service,
  path: string,
  { method = 'POST', body, idempotencyKey }: Call<E> = {},
): Promise<AnswerOf<E>> {
  const json = body && JSON.stringify(body)
  const request: RequestInit = {
    method,
    headers: {
      'x-access-token': clientKey,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(json !== undefined && { body: json, keepalive: bytesOf(json) < maxKeepAliveBytes }),
    credentials: 'omit',
    signal: AbortSignal.timeout(callLimitMs),
  }
  const { response, text } = await ask(baseUrl + path, request).catch((error: Error) => {
    throw new PeykError('network', `The service cannot be reached: ${error.message}`)
  })
  const answer = parse(text)
  if (response.status === 200 && answer) return answer as AnswerOf<E>
  // A hotel's page, for instance, that is answered in place of the service: nothing is taken for done.
  if (response.ok) throw new PeykError('network', `${baseUrl} answered, and is not the service.`)
  const { code, message } = isObject(answer?.error) ? answer.error : {}
  throw new PeykError(
    String(code ?? 'unknown'),
    String(message ?? `The service answered ${response.status}.`),
    response.status,
    readPause(response.headers.get('retry-after')),
  )
}

async function ask(url: string, request: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, request)
    return { response, text: await response.text() }
  } catch (error) {
    // Others may have used up what may outlive the page; where the network is gone this fails as well.
    if (!request.keepalive || request.signal?.aborted || navigator.onLine === false) throw error
    return ask(url, { ...request, keepalive: false })
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Seconds, or a date, which no service of ours sends. */
function readPause(retryAfter: string | null): number | undefined {
  const ms = Number(retryAfter ?? Number.NaN) * 1_000
  return ms > 0 ? Math.min(ms, longestPauseMs) : undefined
}
