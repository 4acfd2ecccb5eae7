/** What came of a request; a pool never throws. */
export type PoolAnswer =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string | undefined>>; body: string }
  /** Nothing of it was processed over there: it may be sent again without a doubt. */
  | { kind: 'not-sent'; detail: string; wasWithdrawn?: true }
  /** It was written and no answer came: it may or may not have been processed. */
  | { kind: 'unclear'; detail: string }

export interface PoolRequest {
  method: 'POST' | 'GET'
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Called while the request waits, and with `isNext` just before it is written. False withdraws it as `not-sent`. */
  isWanted?: ((isNext: boolean) => boolean) | undefined
}

export interface PoolOptions {
  /** `https://host[:port]`, or `http://…` for HTTP/2 without TLS (the simulator). */
  origin: string
  ca?: string
  maxConnections: number
  /** Only one request at a time until the first 200 on a connection [APNs]. */
  isCautious?: boolean
  /** The address to connect to, when a guard has chosen it; else the system resolves. */
  address?: string
  /** Until the host has greeted us. 10 s. */
  connectMs?: number
  /** From the writing of a request to the end of its answer. 30 s. */
  requestMs?: number
  /** For room on a connection; then the request is `not-sent`. 15 s. */
  waitMs?: number
  /** How long a connection with requests under way may be silent before it is pinged. 15 s. */
  pingEveryMs?: number
  /** After how long without requests a connection is closed. 5 minutes. */
  idleMs?: number
}

export interface Pool {
  request(request: PoolRequest): Promise<PoolAnswer>
  /** Requests under way finish; later ones are not sent. */
  close(): Promise<void>
  readonly connections: number
}
