import type { Duplex } from 'node:stream'
import { to } from 'pg-copy-streams'
import type { Transaction } from '../store.ts'
import type { TableShape } from './backup-header.ts'
import { quoteName } from './quote-name.ts'

/** All rows of a table, in the text form of COPY. Who stops before the end has broken the transaction's connection off. */
export async function* copyRowsOut(tx: Transaction, { name, columns }: TableShape): AsyncGenerator<Buffer> {
  const list = columns.map(quoteName).join(', ')
  const stream = tx.client.query(to(`copy (select ${list} from ${quoteName(name)}) to stdout`))
  // Told to whoever reads it; when nobody does any more, it must not end the process.
  stream.on('error', () => undefined)
  let isOver = false
  try {
    for await (const chunk of stream) yield chunk as Buffer
    isOver = true
  } finally {
    // PostgreSQL would go on, and nothing else could be asked on this connection.
    if (!isOver) (tx.client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
  }
}
