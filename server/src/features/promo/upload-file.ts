import type { Readable } from 'node:stream'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { CodeLines, type CodeReading } from './code-lines.ts'

export interface CodeFile extends CodeReading {
  /** The campaign; empty for the global set. */
  trackId: string
  file: Readable
  progressMs?: number
}

/** What the file held; `leftOut` only where bad lines are left out. */
export interface FileCounts {
  totalRows: number
  leftOut?: number
}

export function countFile(lines: CodeLines, { leaveOutBadLines }: CodeReading): FileCounts {
  return { totalRows: lines.rows, ...(leaveOutBadLines && { leftOut: lines.leftOut }) }
}

/** Runs `store` in one transaction, and says in the log how far it is while the file comes in. */
export async function uploadFile<T>(
  ctx: Context,
  { trackId, file, progressMs = 5_000, ...reading }: CodeFile,
  store: (tx: Transaction, lines: CodeLines) => Promise<T>,
): Promise<T> {
  // Whoever reads the file meets its error; until then nobody would be listening.
  file.on('error', () => undefined)
  const lines = new CodeLines(reading)
  const log = ctx.log.child({ app: ctx.app.label, trackId: trackId || undefined })
  const progress = setInterval(() => log.info({ rows: lines.rows }, 'promo codes are being stored'), progressMs)
  try {
    return await inTransaction(ctx, (tx) => {
      // A transaction that lost against another is run again, but a file can be read only once.
      if (file.readableDidRead)
        throw new RequestError('store-busy', 'The database was too busy to store the file. Send it again.')
      return store(tx, lines)
    })
  } finally {
    clearInterval(progress)
  }
}
