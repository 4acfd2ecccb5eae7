import { createTuple, isNull, isUnchanged, type Tuple } from './tuple.ts'

/** What a transaction did to the tables of a publication, in order. A tuple is only good during the call. */
export interface ChangeHandler {
  /** A table as it is from here on; its changes name it by this number. */
  table(id: number, name: string, columns: string[]): void
  insert(table: number, row: Tuple): void
  /** `key`: what identified the row before, if that changed. */
  update(table: number, row: Tuple, key: Tuple | undefined): void
  remove(table: number, key: Tuple): void
  truncate(tables: number[]): void
}

/** Reads pgoutput, the form in which PostgreSQL tells of changes: version 1 of the protocol, values in binary. */
export class ChangeReader {
  /** Between its begin and its commit, what was told of a transaction is not all of it. */
  isInTransaction = false
  private readonly handler: ChangeHandler
  private readonly row = createTuple()
  private readonly key = createTuple()

  constructor(handler: ChangeHandler) {
    this.handler = handler
  }

  /** Answers where in the log the transaction ended, if it did. */
  read(bytes: Buffer, start: number): number | undefined {
    switch (String.fromCharCode(bytes[start] as number)) {
      case 'B':
        this.isInTransaction = true
        return undefined
      case 'C':
        this.isInTransaction = false
        return readPosition(bytes, start + 10)
      case 'R':
        this.readTable(bytes, start + 1)
        return undefined
      case 'I':
        readTuple(bytes, start + 6, this.row)
        this.handler.insert(bytes.readUInt32BE(start + 1), this.row)
        return undefined
      case 'U':
        this.readUpdate(bytes, start + 1)
        return undefined
      case 'D':
        readTuple(bytes, start + 6, this.key)
        this.handler.remove(bytes.readUInt32BE(start + 1), this.key)
        return undefined
      case 'T': {
        const count = bytes.readUInt32BE(start + 1)
        this.handler.truncate(Array.from({ length: count }, (_, index) => bytes.readUInt32BE(start + 6 + index * 4)))
        return undefined
      }
      default:
        // Types, origins and messages say nothing about rows.
        return undefined
    }
  }

  private readTable(bytes: Buffer, start: number): void {
    const id = bytes.readUInt32BE(start)
    let at = start + 4
    const readName = () => {
      const end = bytes.indexOf(0, at)
      const name = bytes.toString('utf8', at, end)
      at = end + 1
      return name
    }
    readName()
    const name = readName()
    const count = bytes.readInt16BE(at + 1)
    at += 3
    const columns: string[] = []
    for (let column = 0; column < count; column++) {
      at += 1
      columns.push(readName())
      at += 8
    }
    this.handler.table(id, name, columns)
  }

  private readUpdate(bytes: Buffer, start: number): void {
    const table = bytes.readUInt32BE(start)
    const hasKey = bytes[start + 4] !== 0x4e
    const at = hasKey ? readTuple(bytes, start + 5, this.key) + 1 : start + 5
    readTuple(bytes, at, this.row)
    this.handler.update(table, this.row, hasKey ? this.key : undefined)
  }
}

/** A position in the log, as a number: it stays below 2⁵³ for thousands of years. */
export function readPosition(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 4_294_967_296 + bytes.readUInt32BE(at + 4)
}

/** Answers where it ends. */
function readTuple(bytes: Buffer, start: number, tuple: Tuple): number {
  const columns = bytes.readInt16BE(start)
  let at = start + 2
  tuple.bytes = bytes
  for (let column = 0; column < columns; column++) {
    const kind = bytes[at++]
    if (kind === 0x6e || kind === 0x75) {
      tuple.lengths[column] = kind === 0x6e ? isNull : isUnchanged
      continue
    }
    if (kind !== 0x62) throw new Error('PostgreSQL sent a value that is not in binary form.')
    const length = bytes.readInt32BE(at)
    at += 4
    tuple.starts[column] = at
    tuple.lengths[column] = length
    at += length
  }
  return at
}
