import { defaultTableBytes, type Header, HeaderTable, sizeOf } from './header-table.ts'
import { decodeHuffman } from './huffman.ts'
import { ProtocolFault } from './protocol-fault.ts'

export interface AnswerHeaders {
  /** 0 where there is none: what follows an answer has no status. */
  status: number
  headers: Readonly<Record<string, string | undefined>>
}

/** Of a list of headers, as it is counted before it is compressed. We tell the other side. */
export const mostHeaderBytes = 64 * 1024

/** Reads the headers of answers (HPACK, RFC 7541). Of several with one name the first counts, but for cookies. */
export class HeaderReader {
  private readonly table = new HeaderTable()
  private block: Buffer = Buffer.alloc(0)
  private at = 0
  private last: { block: Buffer; version: number; answer: AnswerHeaders } | undefined

  /** Every block has to come by here, also of streams that nobody waits for any more. */
  read(block: Buffer): AnswerHeaders {
    const { last, table } = this
    // The usual answers are alike: such a block adds nothing to the table and says the same as long as that stays.
    if (last && last.version === table.version && last.block.equals(block)) return last.answer
    const { version } = table
    const answer = this.readBlock(block)
    // What it was read from belongs to a larger buffer.
    this.last = version === table.version ? { block: Buffer.from(block), version, answer } : undefined
    return answer
  }

  private readBlock(block: Buffer): AnswerHeaders {
    this.block = block
    this.at = 0
    let bytes = 0
    let status = 0
    const headers: Record<string, string | undefined> = Object.create(null)
    while (this.at < block.length) {
      const header = this.readHeader()
      if (!header) {
        if (bytes > 0) throw new ProtocolFault('COMPRESSION_ERROR')
        continue
      }
      bytes += sizeOf(header)
      if (bytes > mostHeaderBytes) throw new ProtocolFault('ENHANCE_YOUR_CALM')
      const [name, value] = header
      if (name === ':status') status = /^[1-9]\d\d$/.test(value) ? Number(value) : 0
      else if (name === 'set-cookie' && headers[name] !== undefined) headers[name] += `,${value}`
      else if (!name.startsWith(':')) headers[name] ??= value
    }
    return { status, headers }
  }

  /** Undefined where it says how large the table is. */
  private readHeader(): Header | undefined {
    const first = this.block[this.at] as number
    if (first & 0x80) return this.headerAt(this.readNumber(7))
    if (first & 0x40) {
      const header = this.readLiteral(6)
      this.table.add(header)
      return header
    }
    if ((first & 0x20) === 0) return this.readLiteral(4)
    const maxBytes = this.readNumber(5)
    if (maxBytes > defaultTableBytes) throw new ProtocolFault('COMPRESSION_ERROR')
    this.table.resize(maxBytes)
    return undefined
  }

  private readLiteral(prefixBits: number): Header {
    const index = this.readNumber(prefixBits)
    const name = index === 0 ? this.readText() : this.headerAt(index)[0]
    return [name, this.readText()]
  }

  private headerAt(index: number): Header {
    const header = this.table.at(index)
    if (!header) throw new ProtocolFault('COMPRESSION_ERROR')
    return header
  }

  private readText(): string {
    const isHuffman = ((this.block[this.at] ?? 0) & 0x80) !== 0
    const length = this.readNumber(7)
    const start = this.at
    const end = start + length
    if (end > this.block.length) throw new ProtocolFault('COMPRESSION_ERROR')
    this.at = end
    const text = isHuffman ? decodeHuffman(this.block, start, end) : this.block.toString('latin1', start, end)
    if (text === undefined) throw new ProtocolFault('COMPRESSION_ERROR')
    return text
  }

  private readNumber(prefixBits: number): number {
    const { block } = this
    const most = 2 ** prefixBits - 1
    if (this.at >= block.length) throw new ProtocolFault('COMPRESSION_ERROR')
    let number = (block[this.at++] as number) & most
    if (number < most) return number
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = block[this.at++]
      if (byte === undefined) break
      number += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return number
    }
    throw new ProtocolFault('COMPRESSION_ERROR')
  }
}
