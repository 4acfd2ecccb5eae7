import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type ChangeHandler, ChangeReader, readPosition } from './change-reader.ts'
import { CopyQuery } from './copy-query.ts'
import { readCopiedRow } from './read-copied-row.ts'
import { createTuple, type Tuple } from './tuple.ts'

const SECOND = 1_000
const confirmEveryMs = 1 * SECOND
/** A large copy takes minutes, in which the connection that holds its snapshot says nothing. */
const patience = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

export interface Copied {
  /** What is selected. */
  query: string
  onRow: (row: Tuple) => void
}

/**
 * A copy of some tables that follows their changes: first all rows as of one position of the log, then what was committed
 * after it. The slot is temporary: PostgreSQL forgets it, and the log that it held, with the connection.
 *
 *   open: a slot, and a snapshot of the same moment ──▶ copy: within the snapshot ──▶ follow: from that moment on
 */
export class Replication {
  /** All that was committed up to here was handed on. */
  position = 0
  private readonly address: pg.ClientConfig
  private readonly client: pg.Client
  private readonly slot = `peyk_${randomBytes(8).toString('hex')}`
  private snapshot = ''
  private reader: ChangeReader | undefined
  /** Never resolves. */
  private readonly lost: Promise<never>

  constructor(address: pg.ClientConfig) {
    this.address = { ...address, keepAlive: true, options: patience }
    const config: pg.ClientConfig & { replication: string } = {
      ...this.address,
      application_name: 'peyk follows',
      replication: 'database',
    }
    this.client = new pg.Client(config)
    // Whoever waits for an answer is told of it.
    this.client.on('error', () => undefined)
    this.lost = new Promise((_, reject) => {
      this.client.once('end', () => reject(new Error('The connection for replication has ended.')))
    })
    this.lost.catch(() => undefined)
  }

  /** Waits until every transaction that writes at the time has ended. */
  async open(): Promise<void> {
    await this.client.connect()
    const made = await this.client.query(
      `CREATE_REPLICATION_SLOT ${this.slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'export')`,
    )
    const [row] = made.rows as { consistent_point: string; snapshot_name: string }[]
    this.position = parsePosition(row?.consistent_point ?? '')
    this.snapshot = row?.snapshot_name ?? ''
  }

  async copy(parts: readonly Copied[]): Promise<void> {
    const client = new pg.Client({
      ...this.address,
      application_name: 'peyk copies',
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      await client.query('begin isolation level repeatable read read only')
      await client.query(`set transaction snapshot ${client.escapeLiteral(this.snapshot)}`)
      const tuple = createTuple()
      for (const { query, onRow } of parts) {
        const copying = new CopyQuery(`copy (${query}) to stdout (format binary)`, (bytes) => {
          if (readCopiedRow(bytes, tuple)) onRow(tuple)
        })
        client.query(copying)
        await Promise.race([copying.ended, this.lost])
      }
    } finally {
      await client.end()
    }
  }

  /** Hands changes on until the connection ends. `onProgress` is called between transactions only. */
  async follow(publication: string, handler: ChangeHandler, onProgress: () => void): Promise<void> {
    const reader = new ChangeReader(handler)
    this.reader = reader
    const advance = (position: number | undefined) => {
      if (position === undefined || reader.isInTransaction) return
      if (position > this.position) this.position = position
      onProgress()
    }
    const following = new CopyQuery(
      `START_REPLICATION SLOT ${this.slot} LOGICAL ${formatPosition(this.position)}
       (proto_version '1', publication_names '${publication}', binary 'true')`,
      (bytes) => {
        if (bytes[0] === 0x77) advance(reader.read(bytes, 25))
        else if (bytes[0] === 0x6b) {
          advance(readPosition(bytes, 1))
          if (bytes[17] === 1) this.confirm(following, false)
        }
      },
    )
    const confirming = setInterval(() => this.confirm(following, false), confirmEveryMs)
    this.askForPosition = () => this.confirm(following, true)
    try {
      this.client.query(following)
      await Promise.race([following.ended, this.lost])
    } finally {
      clearInterval(confirming)
    }
  }

  /** What was handed on last is not all of its transaction. */
  get isInTransaction(): boolean {
    return this.reader?.isInTransaction ?? false
  }

  /** Has PostgreSQL say how far it is. */
  askForPosition: () => void = () => undefined

  async close(): Promise<void> {
    await this.client.end()
  }

  /** From here on PostgreSQL need not keep the log for us. */
  private confirm(stream: CopyQuery, asksForAnswer: boolean): void {
    const status = Buffer.alloc(34)
    status[0] = 0x72
    for (const at of [1, 9, 17]) writePosition(status, at, this.position)
    status[33] = asksForAnswer ? 1 : 0
    stream.send(status)
  }
}

export function parsePosition(text: string): number {
  const [high = '', low = ''] = text.split('/')
  return Number.parseInt(high, 16) * 4_294_967_296 + Number.parseInt(low, 16)
}

function formatPosition(position: number): string {
  return `${Math.floor(position / 4_294_967_296).toString(16)}/${(position % 4_294_967_296).toString(16)}`
}

function writePosition(bytes: Buffer, at: number, position: number): void {
  bytes.writeUInt32BE(Math.floor(position / 4_294_967_296), at)
  bytes.writeUInt32BE(position % 4_294_967_296, at + 4)
}
