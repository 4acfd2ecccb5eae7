import { connectionScope } from '../store/connection-scope.ts'

/**
 * Throws when the caller holds a database connection. Whoever is called may let us wait as long as they like: connections
 * that are held meanwhile are missing to all apps.
 */
export function refuseInTransaction(): void {
  if (connectionScope().isInTransaction) throw new Error('A call outwards was made while a transaction is open.')
}
