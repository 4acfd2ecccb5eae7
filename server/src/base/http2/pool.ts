/** What came of a request; a pool never throws. */
export type PoolAnswer =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string | undefined>>; body: string }
  /** Nothing of it was processed over there: it may be sent again without a doubt. */
  | { kind: 'not-sent'; detail: string }
  /** It was written and no answer came: it may or may not have been processed. */
  | { kind: 'unclear'; detail: string }

export interface PoolRequest {
  method: 'POST' | 'GET'
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
}

export interface PoolOptions {
  /** `https://host[:port]`, or `http://…` for HTTP/2 without TLS (the simulator). */
  origin: string
  ca?: string
  maxConnections: number
  /** Only one request at a time until the first 200 on a connection [APNs]. */
  isCautious?: boolean
  /** Resolved addresses to connect to, when a guard has chosen them; else the system resolves. */
  address?: string
  connectMs?: number
  requestMs?: number
  pingEveryMs?: number
  idleMs?: number
}

export interface Pool {
  request(request: PoolRequest): Promise<PoolAnswer>
  /** Requests under way finish; later ones are not sent. */
  close(): Promise<void>
  readonly connections: number
}
