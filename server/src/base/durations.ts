const SECOND = 1_000

/** How long the service waits for what may never come. Injected, so that tests need not wait as long. */
export interface Durations {
  /** How long a lease of a batch of deliveries lasts unless it is renewed. Then others take over the work. */
  deliveryLeaseMs: number
  /** How long a client may take to acknowledge a message over its connection, before the provider is used. */
  acknowledgementMs: number
  /** How often a process says that it lives, and looks for what it was not told. */
  holdEveryMs: number
  /** How often a process looks at its connections: who is silent, who does not read, whose key is revoked. */
  sweepEveryMs: number
  /** How long a process counts as alive after it said so. */
  aliveMs: number
  /** How long a client is expected back whose connection ended without its doing; messages for it wait so long. */
  returnMs: number
  /** How long a new connection may take to send its CONNECT. */
  connectMs: number
  /** How long a client may take to read what it was sent. */
  slowReaderMs: number
  /** How long a process may take to call a webhook and to store what came of it. */
  webhookLeaseMs: number
  /** How long to wait before a webhook that failed is called again; twice as long after each further failure. */
  webhookRetryMs: number
  /** How often a live page is sent a sign of life, and whoever may not look any more is signed off. */
  heartbeatMs: number
  /** How long a request that calls outwards has its idempotency key to itself, though it may have been killed. */
  claimMs: number
  /** How long a client may take to send the next part of an upload, or to take the next part of a download. */
  transferMs: number
  /**
   * How long the stream waits for what has a time already and is not in the database yet. Longer than a write may wait
   * (lateMs of batch.ts, twice for a connection), so that nothing comes later.
   */
  streamLagMs: number
  /** How often a process writes what apps have used, and reads what others have written. */
  usageMs: number
  /** How long a stopping process still accepts requests, so that proxies notice that `/ready` fails. */
  drainMs: number
  /** How long `/ready` reports a full disk after PostgreSQL refused a write because of it. */
  storeFullMs: number
  /** How long a role may have no process before an alert is raised. Longer than a restart takes. */
  roleMissingMs: number
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
  streamLagMs: 30 * SECOND,
  usageMs: 5 * SECOND,
  drainMs: 10 * SECOND,
  storeFullMs: 30 * SECOND,
  roleMissingMs: 60 * SECOND,
}
