import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Listener } from '../store/listener.ts'
import type { Store } from '../store/store.ts'
import { type Carrier, type OnTold, readTold, type Told, writeTold } from './carrier.ts'

const channel = 'peyk'
/** PostgreSQL takes less than 8000 bytes at a time. */
const partLength = 7_800
const maxUnfinished = 1_000

/** By PostgreSQL's NOTIFY: everything comes to everybody, who takes what it follows. */
export class NotifyCarrier implements Carrier {
  private readonly store: Store
  private readonly id: string
  private readonly onTold: OnTold
  private readonly unfinished = new LRUCache<string, string[]>({ max: maxUnfinished })
  private listening: Listener | undefined
  private count = 0

  constructor(store: Store, id: string, onTold: OnTold) {
    this.store = store
    this.id = id
    this.onTold = onTold
  }

  get hearing(): number | undefined {
    return this.listening?.isOpen() ? this.listening.sessions() : undefined
  }

  /** `lock` is held as long as the connection lives. */
  open(lock: bigint): void {
    this.listening ??= this.store.listen({ channel, lock, onMessage: (text) => this.receive(text) })
  }

  async send(told: readonly Told[]): Promise<readonly Told[]> {
    const parts = told.flatMap((each) => this.cut(asAscii(writeTold(each))))
    try {
      await this.store.query(
        sql`select pg_notify(${channel}, part) from unnest(${parts}::text[]) as p(part)`,
        'tell-others',
      )
      return []
    } catch {
      return told
    }
  }

  follow(): void {}

  unfollow(): void {}

  /** Numbered, because PostgreSQL leaves out what was said before in the same words. */
  private cut(text: string): string[] {
    const total = Math.ceil(text.length / partLength)
    this.count++
    return Array.from({ length: total }, (_, part) => {
      const words = text.slice(part * partLength, (part + 1) * partLength)
      return `${this.id} ${this.count} ${part} ${total} ${words}`
    })
  }

  private receive(text: string): void {
    const [, sender, count, total, part] = /^(\S+) (\d+) \d+ (\d+) (.*)$/s.exec(text) ?? []
    if (sender === undefined || sender === this.id) return
    const key = `${sender} ${count}`
    const parts = [...(this.unfinished.get(key) ?? []), part as string]
    if (parts.length < Number(total)) {
      this.unfinished.set(key, parts)
      return
    }
    this.unfinished.delete(key)
    readTold(parts.join(''), this.onTold)
  }
}

/** So that a part can be cut anywhere, and as many characters are as many bytes. */
function asAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
