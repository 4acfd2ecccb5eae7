import { AsyncLocalStorage } from 'node:async_hooks'
import { isTracing, runOutsideSpans } from '../../trace/tracing.ts'

/** What the running code has to do with the pool of database connections. */
export interface ConnectionScope {
  /** The app whose request this is; undefined for the service's own work. */
  appId: number | undefined
  /** A transaction is open, so a connection is held already. */
  isInTransaction: boolean
  /** Where the transaction was opened, while second connections are watched for. */
  heldAt?: Error | undefined
}

const ownWork: ConnectionScope = { appId: undefined, isInTransaction: false }
const scopes = new AsyncLocalStorage<ConnectionScope>()

export function connectionScope(): ConnectionScope {
  return scopes.getStore() ?? ownWork
}

/** Whatever the work asks of the database counts towards the share of this app. */
export function runForApp<T>(appId: number, work: () => T): T {
  return scopes.run({ appId, isInTransaction: false }, work)
}

/** For work that a request starts and that is not only its own, such as a batch for many callers. */
export function runAsService<T>(work: () => T): T {
  return scopes.run(ownWork, isTracing() ? () => runOutsideSpans(work) : work)
}

/** What the work starts and does not wait for may run on when the transaction is over: then it holds nothing. */
export async function runInTransaction<T>(work: () => Promise<T>, heldAt?: Error): Promise<T> {
  const scope: ConnectionScope = { appId: connectionScope().appId, isInTransaction: true, heldAt }
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.isInTransaction = false
    scope.heldAt = undefined
  }
}

type SecondConnection = (places: { heldAt: Error; askedAt: Error }) => void
let onSecondConnection: SecondConnection | undefined

/**
 * For tests: told whenever somebody who holds a connection of a pool asks for another. As many of these as there are
 * connections would wait for each other. Answers how to let the former listener go on.
 */
export function watchSecondConnections(listener: SecondConnection): () => void {
  const former = onSecondConnection
  onSecondConnection = listener
  return () => {
    onSecondConnection = former
  }
}

/** Called by whoever is about to take a connection. Answers where that is, while second connections are watched for. */
export function recordAsking(): Error | undefined {
  if (!onSecondConnection) return undefined
  const askedAt = new Error('asked for here')
  const { heldAt } = connectionScope()
  if (heldAt) onSecondConnection({ heldAt, askedAt })
  return askedAt
}
