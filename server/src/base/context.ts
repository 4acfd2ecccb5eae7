import sql from 'sql-template-tag'
import type { External } from './external.ts'
import type { Logger } from './log.ts'
import type { Database, Store, Transaction } from './store/store.ts'

export interface AppIdentity {
  id: number
  label: string
}

/** What every verb is given: for which app, on which store, and what time it is. */
export interface Context {
  app: AppIdentity
  store: Store
  /** Set while a request with an idempotency key runs: all its effects belong in this transaction. */
  tx?: Transaction
  now(): Date
  /** When the request came in; unset where it goes straight to its verb. */
  begunAt?: Date
  log: Logger
  external: External
  /** Set when a client key calls, that is a device and not a back end; the secret when the app verifies identities. */
  client?: { identitySecret: string | undefined }
  /** Set when a client key calls: throws when its address has made as many new installations as it may for now. */
  admitInstallation?(): void
  /** Set when somebody calls by the panel. */
  member?: { id: string; email: string; role: string }
  /** Set when an access token calls. */
  token?: { id: string; name: string }
}

/**
 * For a verb that calls outwards: it is given no transaction, so that no connection of the pool is held while somebody
 * else lets us wait. What came of the call it stores by `settle`.
 */
export type OutwardContext = Context & {
  tx?: never
  /** Set while a request with an idempotency key runs: stores the key with the effects. */
  settle?: <T>(work: (inner: Context) => Promise<T>) => Promise<T>
}

/** After the call: all effects in one transaction. Its result is the answer of the verb. */
export function settle<T>(ctx: OutwardContext, work: (inner: Context) => Promise<T>): Promise<T> {
  return ctx.settle ? ctx.settle(work) : ctx.store.transaction((tx) => work({ ...ctx, tx }))
}

/** When the request came. What came before its user was deleted, and would be written afterwards, is dropped. */
export function begunAt(ctx: Pick<Context, 'now' | 'begunAt'>): Date {
  return ctx.begunAt ?? ctx.now()
}

/** Where a verb reads and writes single statements. */
export function db(ctx: Pick<Context, 'store' | 'tx'>): Database {
  return ctx.tx ?? ctx.store
}

/** Runs in the caller's transaction when there is one, in a new one otherwise. */
export function inTransaction<T>(
  ctx: Pick<Context, 'store' | 'tx'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return ctx.tx ? work(ctx.tx) : ctx.store.transaction(work)
}

/**
 * Reads from one snapshot, so that numbers shown together agree: `now` is fixed, and concurrent writes are invisible.
 * Inside a transaction, it uses that transaction.
 */
export function inSnapshot<Ctx extends Context, T>(
  ctx: Ctx,
  read: (inner: Ctx & { tx: Transaction }) => Promise<T>,
): Promise<T> {
  const at = ctx.now()
  if (ctx.tx) return read({ ...ctx, tx: ctx.tx, now: () => at })
  return ctx.store.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    return read({ ...ctx, tx, now: () => at })
  })
}
