import type { Headers, Request } from './http/request.ts'
import type { ProviderName, ReadPush } from './provider.ts'

/** all: every push; count: numbers only; none: nothing, and web pushes are not decrypted. */
export const recordModes = ['all', 'count', 'none'] as const
export type RecordMode = (typeof recordModes)[number]

/** A push that arrived, written down before it was answered. */
export interface ReceivedPush {
  /** 1, 2, 3 … in the order of arrival. */
  no: number
  provider: ProviderName
  /** Epoch milliseconds. */
  at: number
  token: string
  tokenId: string | undefined
  messageId: string | undefined
  payload: unknown
  headers: Readonly<Record<string, string>>
  /** Connections are numbered over all providers. */
  connection: number
  /** Of HTTP/2; 0 on HTTP/1.1. */
  stream: number
  /** Null: no status was sent. */
  answer: { status: number | null; reason: string | undefined; fault: string | undefined }
  /** The provider has taken it and will hand it to the device. */
  isTaken: boolean
  isValidateOnly: boolean
}

/** A push that a provider has taken, on its way to the device. */
export interface TakenPush {
  provider: ProviderName
  token: string
  tokenId: string
  messageId: string | undefined
  /** The provider's own name of it. */
  pushId: string
  /** FCM: `message`; APNs: the body; Web Push: what was decrypted; SMS: `{to, from, text, reference}`. */
  payload: unknown
  /** Until when it is kept for a device that is away, epoch ms; null: now or never. */
  expiresAt: number | null
  /** A later push with the same key takes its place while it is kept. */
  collapseKey: string | undefined
}

export interface ReceivedCount {
  received: number
  taken: number
  /** How many were answered with each status; `none` for those that were not. */
  byStatus: Record<string, number>
}

export interface Duplicate {
  provider: ProviderName
  messageId: string
  token: string
  received: number
  taken: number
}

export interface ReceivedFilter {
  provider?: ProviderName
  messageId?: string
}

interface Entry extends Omit<ReceivedPush, 'headers'> {
  headers: Headers
}

/** Every push that arrived, the newest of them in full. */
export class PushRecord {
  mode: RecordMode
  private readonly size: number
  private readonly entries: Entry[] = []
  private total = 0
  private readonly counts = new Map<ProviderName, ReceivedCount>()
  private readonly listeners = new Set<(push: TakenPush) => void>()

  constructor(mode: RecordMode = 'all', size = 10_000) {
    this.mode = mode
    this.size = size
  }

  /** Before the push is answered. `status`: null when none will be sent. */
  add(provider: ProviderName, push: ReadPush, request: Request, at: number, end: PushEnd): void {
    const isTaken = end.isTaken && !push.isValidateOnly
    if (this.mode !== 'none') {
      this.count(provider, end.answer.status, isTaken)
      this.total++
      if (this.mode === 'all') {
        this.entries[(this.total - 1) % this.size] = {
          no: this.total,
          provider,
          at,
          token: push.token,
          tokenId: push.tokenId,
          messageId: push.messageId,
          payload: push.payload,
          headers: request.headers,
          connection: request.connection,
          stream: request.stream,
          answer: end.answer,
          isTaken,
          isValidateOnly: push.isValidateOnly,
        }
      }
    }
    if (isTaken && push.tokenId !== undefined) this.handOver(provider, push, push.tokenId)
  }

  /** In the order of arrival. */
  list(filter: ReceivedFilter = {}): ReceivedPush[] {
    return this.entries
      .filter(
        ({ provider, messageId }) =>
          (filter.provider === undefined || filter.provider === provider) &&
          (filter.messageId === undefined || filter.messageId === messageId),
      )
      .sort((one, other) => one.no - other.no)
      .map((entry) => ({ ...entry, headers: plainHeaders(entry.headers) }))
  }

  countAll(): Record<ProviderName, ReceivedCount> {
    const of = (name: ProviderName) => structuredClone(this.counts.get(name) ?? { received: 0, taken: 0, byStatus: {} })
    return { fcm: of('fcm'), apns: of('apns'), webpush: of('webpush'), sms: of('sms') }
  }

  /** What came to one device more than once under the same message's id, as far back as the record goes. */
  listDuplicates(): Duplicate[] {
    const seen = new Map<string, Duplicate>()
    for (const { provider, messageId, token, isTaken, isValidateOnly } of this.entries) {
      if (messageId === undefined || isValidateOnly) continue
      const key = `${provider} ${messageId} ${token}`
      const found = seen.get(key) ?? { provider, messageId, token, received: 0, taken: 0 }
      found.received++
      if (isTaken) found.taken++
      seen.set(key, found)
    }
    return [...seen.values()].filter(({ received }) => received > 1)
  }

  clear(): void {
    this.entries.length = 0
    this.total = 0
    this.counts.clear()
  }

  onTaken(listener: (push: TakenPush) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private count(provider: ProviderName, status: number | null, isTaken: boolean): void {
    const count = this.counts.get(provider) ?? { received: 0, taken: 0, byStatus: {} }
    this.counts.set(provider, count)
    count.received++
    if (isTaken) count.taken++
    const name = status ?? 'none'
    count.byStatus[name] = (count.byStatus[name] ?? 0) + 1
  }

  private handOver(provider: ProviderName, push: ReadPush, tokenId: string): void {
    if (this.listeners.size === 0) return
    const { token, messageId, pushId, payload, expiresAt, collapseKey } = push
    const taken = { provider, token, tokenId, messageId, pushId, payload, expiresAt, collapseKey }
    for (const listener of this.listeners) listener(taken)
  }
}

export interface PushEnd {
  answer: ReceivedPush['answer']
  isTaken: boolean
}

function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}
