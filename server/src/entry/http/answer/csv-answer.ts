import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Cell, Columns, FileFormat, RowFile } from '#base/answers/row-file.ts'
import { runForApp } from '#base/store/pool/connection-scope.ts'
import type { Csv } from '../panel/panel-route.ts'
import { inTime } from './in-time.ts'
import { writeParquet } from './parquet-rows.ts'

const chunkLength = 32_768

interface Reader {
  appId: number
  /** How long a reader may take for each part of the file. */
  transferMs: number
}

/** How a file of rows is written. */
interface Form {
  contentType: string
  ending: string
  write(columns: Columns, next: Next): AsyncGenerator<Buffer>
}

type Row = readonly Cell[]
type Next = () => Promise<IteratorResult<Row>>

const forms: Record<FileFormat, Form> = {
  // The mark tells spreadsheets that it is UTF-8.
  csv: {
    contentType: 'text/csv; charset=utf-8',
    ending: 'csv',
    write: (columns, next) => writeText(`\ufeff${writeRow(Object.keys(columns))}`, next, writeRow),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    ending: 'ndjson',
    write: (columns, next) => {
      const header = Object.keys(columns)
      return writeText('', next, (row) => writeObject(row, header))
    },
  },
  parquet: { contentType: 'application/vnd.apache.parquet', ending: 'parquet', write: writeParquet },
}

export function sendCsv(reply: FastifyReply, csv: Csv, reader: Reader): Promise<FastifyReply> {
  const columns = Object.fromEntries(csv.header.map((name) => [name, 'text' as const]))
  return sendRows(reply, forms.csv, { ...csv, columns }, reader)
}

export function sendRowFile(reply: FastifyReply, { baseName, format, columns, rows }: RowFile, reader: Reader) {
  const form = forms[format]
  return sendRows(reply, form, { fileName: `${baseName}.${form.ending}`, columns, rows }, reader)
}

/**
 * Sends rows as they come. What fails before the first of them is an ordinary error; later the download breaks off, as it
 * does when the reader is too slow.
 */
async function sendRows(
  reply: FastifyReply,
  form: Form,
  { fileName, columns, rows }: { fileName: string; columns: Columns; rows: AsyncIterable<Row> },
  { appId, transferMs }: Reader,
): Promise<FastifyReply> {
  const source = rows[Symbol.asyncIterator]()
  // Read while the reader takes it, when nobody knows any more whose request it was.
  const next = () => runForApp(appId, () => source.next())
  const close = () => void source.return?.()
  reply.raw.once('close', close)
  if (reply.raw.closed) close()
  const first = await next()
  reply.headers({
    'content-type': form.contentType,
    'content-disposition': dispositionOf(fileName),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const giveUp = () => void reply.raw.destroy()
  const parts = form.write(columns, startingWith(first, next))
  return reply.send(Readable.from(inTime(parts, transferMs, giveUp), { objectMode: false }))
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

/** The first row was read already, to see whether there is one. */
function startingWith(first: IteratorResult<Row>, next: Next): Next {
  let isFirst = true
  return async () => {
    if (!isFirst) return next()
    isFirst = false
    return first
  }
}

async function* writeText(head: string, next: Next, write: (row: Row) => string): AsyncGenerator<Buffer> {
  let text = head
  for (let item = await next(); !item.done; item = await next()) {
    text += write(item.value)
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** What is not there is left out. */
function writeObject(row: Row, header: readonly string[]): string {
  const present = header.flatMap((name, index) => (row[index] === null ? [] : [[name, row[index]]]))
  return `${JSON.stringify(Object.fromEntries(present))}\n`
}

/** RFC 4180. */
function writeRow(row: Row): string {
  return `${row.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  const value = typeof cell === 'string' ? cell : JSON.stringify(cell)
  // A spreadsheet would take it for a formula and run it.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
