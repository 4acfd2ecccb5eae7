import { AsyncLocalStorage } from 'node:async_hooks'

/** What the running code has to do with the pool of database connections. */
export interface ConnectionScope {
  /** The app whose request this is; undefined for the service's own work. */
  appId: number | undefined
  /** A transaction is open, so a connection is held already. */
  isInTransaction: boolean
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
  return scopes.run(ownWork, work)
}

export function runInTransaction<T>(work: () => T): T {
  return scopes.run({ appId: connectionScope().appId, isInTransaction: true }, work)
}
