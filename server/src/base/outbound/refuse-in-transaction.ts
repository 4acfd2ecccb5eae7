import { connectionScope } from '../store/pool/connection-scope.ts'

/**
 * Throws when the caller holds a database connection. Whoever is called may let us wait as long as they like, and so may
 * a template: connections that are held meanwhile are missing to all apps.
 */
export function refuseInTransaction(what = 'A call outwards was made'): void {
  if (connectionScope().isInTransaction) throw new Error(`${what} while a transaction is open.`)
}
