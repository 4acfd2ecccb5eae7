import pg from 'pg'
import { cutClient, endClient } from '../pool/end-client.ts'

/** A PostgreSQL that can be written to. */
interface Primary {
  /** Which of the addresses. */
  index: number
  /** It rises with every fail-over: of two that can be written to, the lower one was left behind. */
  timeline: number
}

interface Standing {
  isStandby: boolean
  timeline: number
}

const lookTimeoutMs = 2_000
/** So long the others may still answer, when one that can be written to is known. */
const graceMs = 500
const lookEveryMs = 5_000

/**
 * Which of several PostgreSQL servers can be written to. Looks for it when a connection is opened and none is known, and
 * every few seconds: connections to one that was left behind are cut. It never makes a server anything.
 */
export class PrimaryFinder {
  private readonly urls: readonly string[]
  private readonly clients = new Map<pg.ClientBase, Primary>()
  private readonly ticker: NodeJS.Timeout
  private known: Primary | undefined
  private newest = 0
  private looking: Promise<Primary> | undefined

  constructor(urls: readonly string[]) {
    this.urls = urls
    this.ticker = setInterval(() => void this.look().catch(() => undefined), lookEveryMs).unref()
  }

  find(): Promise<Primary> {
    return this.known ? Promise.resolve(this.known) : this.look()
  }

  /** Nobody could connect to it. */
  forget(primary: Primary): void {
    if (this.known === primary) this.known = undefined
  }

  /** Throws when the server that the client has just connected to cannot be written to, or was left behind. */
  async admit(client: pg.ClientBase, primary: Primary): Promise<void> {
    const { isStandby, timeline } = await readStanding(client)
    if (isStandby || timeline < this.newest) {
      this.forget(primary)
      throw away('The PostgreSQL that was connected to is not the primary.')
    }
    this.clients.set(client, { ...primary, timeline })
    client.once('end', () => this.clients.delete(client))
  }

  close(): void {
    clearInterval(this.ticker)
  }

  private look(): Promise<Primary> {
    this.looking ??= this.askAll().finally(() => {
      this.looking = undefined
    })
    return this.looking
  }

  private async askAll(): Promise<Primary> {
    const found: Primary[] = []
    const faults: string[] = []
    const first = Promise.withResolvers<void>()
    const asked = this.urls.map(async (url, index) => {
      try {
        const { isStandby, timeline } = await askServer(url)
        if (isStandby) faults.push('is a standby')
        else if (timeline < this.newest) faults.push('was left behind')
        else {
          found.push({ index, timeline })
          first.resolve()
        }
      } catch (error) {
        faults.push((error as Error).message)
      }
    })
    const all = Promise.all(asked)
    await Promise.race([all, first.promise.then(() => Promise.race([all, wait(graceMs)]))])
    const primary = found.sort((one, other) => other.timeline - one.timeline)[0]
    if (!primary) {
      this.known = undefined
      throw away(`None of the ${this.urls.length} PostgreSQL servers can be written to: ${faults.join('; ')}.`)
    }
    this.newest = primary.timeline
    if (this.known?.index !== primary.index || this.known.timeline !== primary.timeline) this.known = primary
    for (const [client, { index, timeline }] of this.clients) {
      if (index !== primary.index || timeline < primary.timeline) cutClient(client)
    }
    return this.known
  }
}

async function askServer(url: string): Promise<Standing> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: lookTimeoutMs,
    query_timeout: lookTimeoutMs,
    application_name: 'peyk looks for the primary',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await readStanding(client)
  } finally {
    void endClient(client)
  }
}

async function readStanding(client: pg.ClientBase): Promise<Standing> {
  const { rows } = await client.query(
    `select pg_is_in_recovery() as is_standby, case when pg_is_in_recovery() then 0
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
  )
  const [row] = rows as [{ is_standby: boolean; timeline: number }]
  return { isStandby: row.is_standby, timeline: row.timeline }
}

function away(message: string): Error {
  return Object.assign(new Error(message), { code: '08001' })
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
