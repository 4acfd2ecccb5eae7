import { from } from 'pg-copy-streams'
import type { Transaction } from './store.ts'

export interface Copy {
  /** Answers when PostgreSQL has taken the bytes off our hands; one call at a time. */
  write(bytes: Buffer): Promise<void>
  /** Answers how many rows PostgreSQL took. */
  end(): Promise<number>
  /** Gives the connection back its peace; the transaction can only be rolled back then. */
  cancel(): Promise<void>
}

/** A COPY … FROM STDIN on the transaction's connection. Until it ends or is cancelled, nothing else may run there. */
export function openCopy(tx: Transaction, statement: string): Copy {
  const stream = tx.client.query(from(statement))
  let failure: Error | undefined
  let fail = (_error: Error) => {}
  stream.on('error', (error: Error) => {
    failure ??= error
    fail(failure)
  })

  function settle(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      fail = reject
      start((error) => (error ? reject(error) : resolve()))
    })
  }

  return {
    write: (bytes) => settle((done) => stream.write(bytes, done)),
    end: async () => {
      await settle((done) => stream.end(done))
      return stream.rowCount
    },
    cancel: async () => {
      if (failure || stream.writableFinished) return
      await new Promise<void>((resolve) => stream.once('close', resolve).destroy())
    },
  }
}
