import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { runForApp } from '../../../base/store/pool/connection-scope.ts'
import type { Csv } from '../panel/panel-route.ts'
import { inTime } from './in-time.ts'

const chunkLength = 32_768

interface Reader {
  appId: number
  /** How long a reader may take for each part of the file. */
  transferMs: number
}

/**
 * Sends rows as they come. What fails before the first of them is an ordinary error; later the download breaks off, as it
 * does when the reader is too slow.
 */
export async function sendCsv(
  reply: FastifyReply,
  { fileName, header, rows }: Csv,
  { appId, transferMs }: Reader,
): Promise<FastifyReply> {
  const source = rows[Symbol.asyncIterator]()
  // Read while the reader takes it, when nobody knows any more whose request it was.
  const reading: Reading = { next: () => runForApp(appId, () => source.next()), return: () => source.return?.() }
  const first = await reading.next()
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': dispositionOf(fileName),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const giveUp = () => void reply.raw.destroy()
  return reply.send(Readable.from(inTime(write(header, first, reading), transferMs, giveUp), { objectMode: false }))
}

/** RFC 6266: the plain name is for who cannot read the other. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replace(/[^\w.-]+/g, '-')
  const whole = fileName.toWellFormed().replace(/[\p{Cc}/\\:*?"<>|]+/gu, '-')
  const encoded = encodeURIComponent(whole).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

type Row = readonly (string | number | null)[]

interface Reading {
  next(): Promise<IteratorResult<Row>>
  return(): Promise<unknown> | undefined
}

async function* write(header: readonly string[], first: IteratorResult<Row>, reading: Reading) {
  // The mark tells spreadsheets that it is UTF-8.
  let text = `\ufeff${writeRow(header)}`
  try {
    for (let item = first; !item.done; item = await reading.next()) {
      text += writeRow(item.value)
      if (text.length < chunkLength) continue
      yield Buffer.from(text)
      text = ''
    }
    if (text !== '') yield Buffer.from(text)
  } finally {
    await reading.return()
  }
}

/** RFC 4180. */
function writeRow(row: Row): string {
  return `${row.map(writeCell).join(',')}\r\n`
}

function writeCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // A spreadsheet would take it for a formula and run it.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
