import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Csv } from './panel-route.ts'

const chunkLength = 32_768

/** Sends rows as they come. What fails before the first of them is an ordinary error; later the download breaks off. */
export async function sendCsv(reply: FastifyReply, { fileName, header, rows }: Csv): Promise<FastifyReply> {
  const reading = rows[Symbol.asyncIterator]()
  const first = await reading.next()
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': dispositionOf(fileName),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  return reply.send(Readable.from(write(header, first, reading), { objectMode: false }))
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

async function* write(header: readonly string[], first: IteratorResult<Row>, reading: AsyncIterator<Row>) {
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
    await reading.return?.()
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
