const SECOND = 1_000

/** How long the service waits for what may never come. Injected, so that tests need not wait as long. */
export interface Durations {
  /** A batch of deliveries is a process's own without a sign of life. A killed one's work goes on when it has passed. */
  deliveryLeaseMs: number
  /** A client that got a message over its connection acknowledges it, else the provider is used. */
  acknowledgementMs: number
  /** A process says that it lives, and looks for what it was not told. */
  holdEveryMs: number
  /** A process looks at its connections: who is silent, who does not read, whose key is revoked. */
  sweepEveryMs: number
  /** A process counts as alive after it said so. */
  aliveMs: number
  /** A client whose connection ended without its doing comes back; what only a connection can bring waits so long. */
  returnMs: number
  /** A new connection sends its CONNECT. */
  connectMs: number
  /** A client takes what it was sent. */
  slowReaderMs: number
  /** A process calls a webhook and stores what came of it. */
  webhookLeaseMs: number
  /** A webhook that failed is called again; twice as long after each further failure. */
  webhookRetryMs: number
  /** A live page is sent a sign of life, and whoever may not look any more is signed off. */
  heartbeatMs: number
  /** A request that calls outwards has its idempotency key to itself. A killed one's key is free when it has passed. */
  claimMs: number
  /** A client sends the next part of an upload, or takes the next part of a download. */
  transferMs: number
}

export const defaultDurations: Durations = {
  deliveryLeaseMs: 10 * SECOND,
  acknowledgementMs: 5 * SECOND,
  holdEveryMs: 4 * SECOND,
  sweepEveryMs: 1 * SECOND,
  aliveMs: 15 * SECOND,
  returnMs: 30 * SECOND,
  connectMs: 10 * SECOND,
  slowReaderMs: 30 * SECOND,
  webhookLeaseMs: 20 * SECOND,
  webhookRetryMs: 5 * SECOND,
  heartbeatMs: 5 * SECOND,
  claimMs: 60 * SECOND,
  transferMs: 10 * SECOND,
}
