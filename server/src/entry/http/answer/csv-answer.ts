import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Cell, RowFile } from '../../../base/answers/row-file.ts'
import { runForApp } from '../../../base/store/pool/connection-scope.ts'
import type { Csv } from '../panel/panel-route.ts'
import { inTime } from './in-time.ts'

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
  begin(header: readonly string[]): string
  row(row: Row, header: readonly string[]): string
}

const forms: Record<RowFile['format'], Form> = {
  // The mark tells spreadsheets that it is UTF-8.
  csv: { contentType: 'text/csv', ending: 'csv', begin: (header) => `\ufeff${writeRow(header)}`, row: writeRow },
  ndjson: { contentType: 'application/x-ndjson', ending: 'ndjson', begin: () => '', row: writeObject },
}

export function sendCsv(reply: FastifyReply, csv: Csv, reader: Reader): Promise<FastifyReply> {
  return sendRows(reply, forms.csv, csv, reader)
}

export function csvOf({ name, header, rows }: RowFile): Csv {
  return { fileName: `${name}.csv`, header, rows }
}

export function sendRowFile(reply: FastifyReply, { name, format, header, rows }: RowFile, reader: Reader) {
  const form = forms[format]
  return sendRows(reply, form, { fileName: `${name}.${form.ending}`, header, rows }, reader)
}

/**
 * Sends rows as they come. What fails before the first of them is an ordinary error; later the download breaks off, as it
 * does when the reader is too slow.
 */
async function sendRows(
  reply: FastifyReply,
  form: Form,
  { fileName, header, rows }: { fileName: string; header: readonly string[]; rows: AsyncIterable<Row> },
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
    'content-type': `${form.contentType}; charset=utf-8`,
    'content-disposition': dispositionOf(fileName),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const giveUp = () => void reply.raw.destroy()
  const parts = write(form, header, first, next)
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

type Row = readonly Cell[]

async function* write(
  form: Form,
  header: readonly string[],
  first: IteratorResult<Row>,
  next: () => Promise<IteratorResult<Row>>,
) {
  let text = form.begin(header)
  for (let item = first; !item.done; item = await next()) {
    text += form.row(item.value, header)
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
