import type { PoolRequest } from '../pool.ts'
import type { FrameWriter } from './frame-writer.ts'
import { type Header, HeaderTable, sizeOf, staticTable } from './header-table.ts'

/** What HTTP/2 has no place for, because it belongs to a connection of HTTP/1.1. */
const forbidden = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'host',
])

const staticIndex = new Map<string, number>()
for (const [index, header] of staticTable.entries()) {
  const [name, value] = header
  if (!staticIndex.has(name)) staticIndex.set(name, index + 1)
  if (value !== '') staticIndex.set(keyOf(header), index + 1)
}
const pathIndex = staticIndex.get(':path') as number
const lengthIndex = staticIndex.get('content-length') as number

/**
 * Writes the headers of requests (HPACK, RFC 7541). What two requests in turn have alike is put into the table and is a
 * number from then on; what is new each time stays out of it. The requests of a big send have one object of headers,
 * whose bytes are kept as long as they say the same.
 */
export class HeaderWriter {
  private readonly origin: URL
  private readonly places = new Map<string, number>()
  private readonly table = new HeaderTable((header, place) => {
    const key = keyOf(header)
    if (this.places.get(key) === place) this.places.delete(key)
  })
  private readonly lastValues = new Map<string, string>()
  private last: Pick<PoolRequest, 'method' | 'path' | 'headers'> | undefined
  private kept: { version: number; bytes: Buffer } | undefined
  private isTableResized = false

  constructor(origin: URL) {
    this.origin = origin
  }

  /** What the other side keeps for its table. It stays at the least that was said. */
  limitTable(maxBytes: number): void {
    if (maxBytes >= this.table.limit) return
    this.table.resize(maxBytes)
    this.isTableResized = true
  }

  /** As the block of a frame that was begun. Throws where the request cannot be written; nothing has changed then. */
  write(out: FrameWriter, { method, path, headers }: PoolRequest, bodyBytes: number | undefined): void {
    const { last, kept, table } = this
    if (last?.path !== path && !/^\/[!-~]*$/.test(path))
      throw new Error('its path has a character that must be escaped')
    const isSame = last?.headers === headers && last.method === method
    const list = isSame && kept?.version === table.version ? undefined : this.list(method, headers)
    if (last?.path !== path || list) this.last = { method, path, headers }
    out.latin1(this.begin(path))
    out.copy(list ? this.writeList(list, isSame) : (kept as { bytes: Buffer }).bytes)
    if (bodyBytes !== undefined && headers['content-length'] === undefined)
      out.latin1(literal(lengthIndex, String(bodyBytes)))
  }

  private begin(path: string): string {
    const size = this.isTableResized ? number(this.table.limit, 5, 0x20) : ''
    this.isTableResized = false
    return size + literal(pathIndex, path)
  }

  private list(method: string, headers: PoolRequest['headers']): Header[] {
    const { protocol, host } = this.origin
    const list: Header[] = [
      [':method', method],
      [':scheme', protocol === 'https:' ? 'https' : 'http'],
      [':authority', host],
    ]
    for (const given in headers) {
      const name = given.toLowerCase()
      const value = headers[given] as string
      if (!/^[!#$%&'*+\-.^_`|~\da-z]+$/.test(name) || forbidden.has(name))
        throw new Error(`it may not have a header ${JSON.stringify(given)}`)
      if (/[\0\r\n\u0100-\uffff]/.test(value))
        throw new Error(`its header ${name} has a character that may not be there`)
      list.push([name, value])
    }
    return list
  }

  private writeList(list: readonly Header[], isSame: boolean): Buffer {
    const { version } = this.table
    const bytes = Buffer.from(list.map((header) => this.writeHeader(header)).join(''), 'latin1')
    // Written a second time without a change of the table, it says the same until that changes.
    this.kept = isSame && version === this.table.version ? { version, bytes } : undefined
    return bytes
  }

  private writeHeader(header: Header): string {
    const [name, value] = header
    const key = keyOf(header)
    const index = staticIndex.get(key)
    if (index !== undefined) return number(index, 7, 0x80)
    const place = this.places.get(key)
    if (place !== undefined) return number(this.table.indexOf(place), 7, 0x80)
    const wasThere = this.lastValues.get(name) === value
    this.lastValues.set(name, value)
    const nameIndex = staticIndex.get(name) ?? 0
    // A large one would push all others out.
    if (!wasThere || sizeOf(header) > this.table.limit / 2) return literal(nameIndex, value, name)
    this.table.add(header)
    this.places.set(key, this.table.added)
    return number(nameIndex, 6, 0x40) + (nameIndex === 0 ? text(name) : '') + text(value)
  }
}

function keyOf([name, value]: Header): string {
  return `${name}\0${value}`
}

/** One that is not put into the table. */
function literal(nameIndex: number, value: string, name = ''): string {
  return number(nameIndex, 4, 0) + (nameIndex === 0 ? text(name) : '') + text(value)
}

function text(value: string): string {
  return number(value.length, 7, 0) + value
}

/** In the lowest bits of a byte that has others already, and in further ones as far as needed. */
function number(value: number, bits: number, others: number): string {
  const most = 2 ** bits - 1
  if (value < most) return String.fromCharCode(others | value)
  let written = String.fromCharCode(others | most)
  let rest = value - most
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) written += String.fromCharCode((rest & 0x7f) | 0x80)
  return written + String.fromCharCode(rest)
}
