import type { ImageType } from '@peyk/contract'
import sql from 'sql-template-tag'
import { limitConcurrency } from '#base/concurrency/concurrency-limit.ts'
import type { Database } from '#base/store/store.ts'

export interface ImageFile {
  type: ImageType
  content: Buffer
}

interface Entry {
  file: Promise<ImageFile | undefined>
  readAt: number
  bytes: number
}

interface Options {
  maxBytes?: number
  /** What was deleted elsewhere is served no longer than this. */
  keepMs?: number
  now?(): number
}

const tooMany = 'Too many different images are asked for at once. Try again in 5 s.'

/**
 * Images by their hash, whichever app's they are: a message to many is one image that all of them load in the same
 * minute. Those who ask for the same one wait for one reading; few are read at once, because anybody may ask.
 */
export class ImageCache {
  private readonly database: Database
  private readonly options: Required<Options>
  private readonly inTurn = limitConcurrency({ atOnce: 2, waiting: { max: 1_000, tooMany } })
  private readonly entries = new Map<string, Entry>()
  private bytes = 0

  constructor(
    database: Database,
    { maxBytes = 32 * 1024 ** 2, keepMs = 60_000, now = () => performance.now() }: Options = {},
  ) {
    this.database = database
    this.options = { maxBytes, keepMs, now }
  }

  find(hash: string): Promise<ImageFile | undefined> {
    const now = this.options.now()
    const known = this.entries.get(hash)
    if (known) this.drop(hash, known)
    const entry = known && now - known.readAt < this.options.keepMs ? known : this.read(hash, now)
    // Behind all others: what was asked for last stays longest.
    this.entries.set(hash, entry)
    this.bytes += entry.bytes
    return entry.file
  }

  private read(hash: string, readAt: number): Entry {
    const statement = sql`select type, content from images where hash = ${hash} limit 1`
    const reading = this.inTurn(() => this.database.query<ImageFile>(statement))
    const file = reading.then(
      ([found]) => {
        this.settle(hash, entry, found?.content.length ?? 0)
        return found
      },
      (error) => {
        this.settle(hash, entry, 0)
        throw error
      },
    )
    const entry: Entry = { file, readAt, bytes: 0 }
    return entry
  }

  /** Only what is there is kept, and of that no more than there is room for. */
  private settle(hash: string, entry: Entry, bytes: number): void {
    if (this.entries.get(hash) !== entry) return
    if (bytes === 0) return void this.drop(hash, entry)
    entry.bytes = bytes
    this.bytes += bytes
    for (const [oldest, old] of this.entries) {
      if (this.bytes <= this.options.maxBytes) return
      this.drop(oldest, old)
    }
  }

  private drop(hash: string, entry: Entry): void {
    this.entries.delete(hash)
    this.bytes -= entry.bytes
  }
}
