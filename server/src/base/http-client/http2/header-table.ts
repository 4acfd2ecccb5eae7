export type Header = readonly [name: string, value: string]

/** RFC 7541, appendix A. */
export const staticTable: readonly Header[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
]

export const defaultTableBytes = 4096

/** As both sides count a header, in their tables and in the size of a list. */
export function sizeOf([name, value]: Header): number {
  return name.length + value.length + 32
}

/** Headers that were sent before, the newest first; of both sides alike. */
export class HeaderTable {
  /** How often a header was added since the start. */
  added = 0
  /** Changes whenever what stands in it does. */
  version = 0
  private readonly entries: Header[] = []
  private bytes = 0
  private maxBytes = defaultTableBytes
  private readonly onDrop: (header: Header, place: number) => void

  /** `place`: what `added` was after the header that is dropped. */
  constructor(onDrop: (header: Header, place: number) => void = () => {}) {
    this.onDrop = onDrop
  }

  get limit(): number {
    return this.maxBytes
  }

  /** By its number in the notation of HPACK, where those of the static table come first. */
  at(index: number): Header | undefined {
    if (index <= staticTable.length) return staticTable[index - 1]
    return this.entries[this.entries.length - (index - staticTable.length)]
  }

  /** The number that a header has now which was added as this one. */
  indexOf(place: number): number {
    return staticTable.length + 1 + this.added - place
  }

  add(header: Header): void {
    const size = sizeOf(header)
    this.shrink(this.maxBytes - size)
    if (size > this.maxBytes) return
    this.entries.push(header)
    this.bytes += size
    this.added++
    this.version++
  }

  resize(maxBytes: number): void {
    this.maxBytes = maxBytes
    this.shrink(maxBytes)
  }

  private shrink(toBytes: number): void {
    while (this.bytes > toBytes && this.entries.length > 0) {
      const oldest = this.entries.shift() as Header
      this.bytes -= sizeOf(oldest)
      this.version++
      this.onDrop(oldest, this.added - this.entries.length)
    }
  }
}
