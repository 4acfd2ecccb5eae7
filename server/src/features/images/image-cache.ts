import type { ImageType } from '@peyk/contract'
import sql from 'sql-template-tag'
import { limitConcurrency } from '../../base/concurrency-limit.ts'
import type { Database } from '../../base/store/store.ts'

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
    const isFresh = known && now - known.readAt < this.options.keepMs
    const entry = isFresh ? known : { file: this.inTurn(() => this.read(hash)), readAt: now, bytes: 0 }
    this.entries.set(hash, entry)
    this.bytes += entry.bytes
    if (!isFresh) void this.settle(hash, entry)
    return entry.file
  }

  private async read(hash: string): Promise<ImageFile | undefined> {
    const [file] = await this.database.query<ImageFile>(
      sql`select type, content from images where hash = ${hash} limit 1`,
    )
    return file
  }

  /** Only what is there is kept, and of that what was asked for last. */
  private async settle(hash: string, entry: Entry): Promise<void> {
    const file = await entry.file.catch(() => undefined)
    if (this.entries.get(hash) !== entry) return
    if (!file) return this.drop(hash, entry)
    entry.bytes = file.content.length
    this.bytes += entry.bytes
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
