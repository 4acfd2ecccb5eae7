import type pg from 'pg'
import { RequestError } from '../errors.ts'
import { type Address, newClient } from './hosts/address.ts'
import { cutClient, endClient } from './pool/end-client.ts'
import { rejectWhenSilent } from './pool/reject-when-silent.ts'
import { readStoreError } from './store-error.ts'

const answerMs = 3_000

/**
 * Locks that are held while work is done elsewhere. They have a connection of their own, so that whoever holds one holds
 * no connection of the pool; PostgreSQL drops them with it, so a crash leaves nothing locked.
 */
export class LockKeeper {
  private readonly address: Address
  private readonly held = new Set<string>()
  private client: pg.Client | undefined
  private last: Promise<unknown> = Promise.resolve()
  private isClosed = false

  constructor(address: Address) {
    this.address = address
  }

  /** Answers how to give the lock back, or undefined when somebody has it, in this process or another. */
  async take(lockClass: number, name: string): Promise<(() => Promise<void>) | undefined> {
    const key = `${lockClass}/${name}`
    // To PostgreSQL all holders in this process are one.
    if (this.held.has(key)) return undefined
    this.held.add(key)
    try {
      const taken = await this.ask('select pg_try_advisory_lock($1, hashtext($2)) as is_free', [lockClass, name])
      if (!taken.isFree) {
        this.held.delete(key)
        return undefined
      }
      return async () => {
        // With its connection the lock is gone already.
        if (this.client === taken.client)
          await this.ask('select pg_advisory_unlock($1, hashtext($2)) as is_free', [lockClass, name]).catch(
            () => undefined,
          )
        this.held.delete(key)
      }
    } catch (error) {
      this.held.delete(key)
      throw readStoreError(error)
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.last
    if (this.client) await endClient(this.client)
  }

  /** One at a time. A connection on which something failed is not used again. */
  private ask(text: string, values: unknown[]): Promise<{ isFree: boolean; client: pg.Client }> {
    const answer = this.last.then(async () => {
      try {
        const client = await rejectWhenSilent(this.open(), answerMs)
        const { rows } = await rejectWhenSilent(client.query<{ is_free: boolean }>(text, values), answerMs)
        return { isFree: rows[0]?.is_free === true, client }
      } catch (error) {
        if (this.client) cutClient(this.client)
        this.client = undefined
        throw error
      }
    })
    this.last = answer.catch(() => undefined)
    return answer
  }

  private async open(): Promise<pg.Client> {
    if (this.isClosed) throw new RequestError('store-away', 'The connections to the database are closed.')
    if (this.client) return this.client
    const client = newClient(this.address, { application_name: 'peyk locks', keepAlive: true })
    this.client = client
    const forget = () => {
      if (this.client === client) this.client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    await client.connect()
    return client
  }
}
