import { isObject, parse } from './message.ts'

/** `code` is a word of the service's list of errors, or one of `network`, `unsupported`, `no-installation`. */
export class PeykError extends Error {
  readonly code: string
  readonly status: number | undefined

  constructor(code: string, message: string, status?: number) {
    super(message)
    this.name = 'PeykError'
    this.code = code
    this.status = status
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

interface Call {
  method?: 'GET' | 'POST' | 'PUT'
  body?: object
  /** The same call with the same key has its effect once. */
  idempotencyKey?: string
}

const callLimitMs = 30_000
/** Browsers send that much even when the page is left meanwhile. */
const maxKeepAliveLength = 50_000

/** Asks the service; whatever is no success is thrown as a PeykError. */
export async function callService(
  { baseUrl, clientKey }: Service,
  path: string,
  { method = 'POST', body, idempotencyKey }: Call = {},
): Promise<Record<string, unknown>> {
  const json = body && JSON.stringify(body)
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      'x-access-token': clientKey,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(json !== undefined && { body: json, keepalive: json.length < maxKeepAliveLength }),
    credentials: 'omit',
    signal: AbortSignal.timeout(callLimitMs),
  }).catch((error: Error) => {
    throw new PeykError('network', `The service cannot be reached: ${error.message}`)
  })
  const answer = parse(await response.text().catch(() => '')) ?? {}
  if (response.status === 200) return answer
  const { code, message } = isObject(answer.error) ? answer.error : {}
  throw new PeykError(
    String(code ?? 'unknown'),
    String(message ?? `The service answered ${response.status}.`),
    response.status,
  )
}
