import type { DeliveryReason } from '@peyk/contract'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import type { CompiledPush } from '../../messages/payloads/compiled-push.ts'
import type { MessageFlags } from '../choose-path.ts'
import type { Detail } from '../details/detail.ts'
import type { HandOverRules } from '../hand-over/decide-hand-over.ts'
import type { Fresh } from '../inbox/inbox-notifier.ts'
import type { Outcome, ProviderName } from '../provider.ts'
import type { BatchTrace } from '../senders/batch-trace.ts'
import type { Assigned } from '../variants/assign-users.ts'
import type { DeadToken, TokenAnswers } from './settle-dead-tokens.ts'

export type Lane = 'personal' | 'group'

/** A message while this process has batches of it. */
export interface MessageInWork {
  appId: number
  appLabel: string
  id: string
  product: Product
  audience: 'users' | 'public' | 'query'
  recipients: number
  /** User changes with a higher number end the delivery: see other-user/decided-for.ts. */
  refusedAfter: number
  trackId: string | undefined
  clientId: string | undefined
  expiresAt: Date
  /** It goes at a local time: other users have it until other moments. */
  hasOwnEnd?: true
  flags: MessageFlags
  /** An SMS goes to those who do not get it. */
  hasFallback: boolean
  /** It has a throttle: what goes back to the work-list waits for its turn again. */
  isPaced: boolean
  compiled: CompiledPush
  /** What makes it a test; undefined where nothing does. */
  test: TestContent | undefined
  /** Undefined for a transactional message that is no test: nothing keeps it back. */
  rules: HandOverRules | undefined
  /** Looked at again all the time: a cancelled or paused message stops within a second. */
  standing: 'running' | 'paused' | 'cancelled'
  batches: number
  idleSince: number
}

/** A row of delivery_batches that this process has leased. */
export interface BatchRow {
  appId: number
  batchNo: number
  messageId: string
  lane: Lane
  stream: string
  attempts: number
  /** Its installations were tried before, and no answer came. */
  wasUnclear: boolean
  installationNos: number[]
}

/** What became of one installation of a batch, ready to be stored. */
export interface Settled extends Detail {
  installationNo: number
  /** `delivered`: its client acknowledged it before it was stored. */
  state: 'queued' | 'sent' | 'delivered' | 'ended'
  reason?: DeliveryReason
  provider?: ProviderName | 'connection'
  at: Date
  /** Where it is known already: else it is looked up for the counts of the day. */
  platform?: string
  /** Not written for what was accepted: the delivery itself says that. */
  attempt?: Outcome['kind']
  /** The token that a provider called dead, or another project's. */
  deadToken?: string
  foreignToken?: string
  /** It is connected: whoever holds its connection is told to look into the inbox. */
  isNotified?: true
  /** It waits in the inbox for a client that is expected back. */
  isKept?: true
  /** For whom it waits there, where whoever holds the connection can send it without reading it again. */
  fresh?: Fresh
}

/** An installation that goes back to the work-list. */
export interface PutBack {
  installationNo: number
  /** `mixed` where none was chosen yet. */
  provider: ProviderName | 'mixed'
  afterMs: number
  isPaused?: boolean
  wasUnclear?: boolean
  /** It was put into the inbox, and counted at the message's pace. */
  isInInbox?: true
  /** It is not in the test of its message, and waits for the winner. */
  awaitsWinner?: true
  attempt?: { outcome: Outcome['kind'] | 'waits'; detail: string; at: Date }
}

/** What is known of one installation of a batch; undefined when nothing is to be stored of it. */
export type ItemEnd = { settled: Settled; putBack?: PutBack } | { putBack: PutBack } | undefined

/** One batch on its way: what is open, what is known, and until when it is ours. */
export class HeldBatch {
  readonly row: BatchRow
  readonly message: MessageInWork
  settled: Settled[] = []
  putBacks: PutBack[] = []
  /** Installations that have no end yet. */
  open: number
  isLost = false
  /** One random delay for the whole batch: installations that are tried again later stay together. */
  readonly chance = Math.random()
  /** Each of its installations has an end or is with a sender. */
  isHanded = false
  /** Since when it is known here that its message was paused or cancelled. */
  stoppedSinceMs: number | undefined
  /** Whether it has to be stored, or is stored, that everything in the batch without an end is with a provider. */
  stopNote: 'due' | 'stored' | undefined
  leasedUntilMs: number
  /** Its installations were read at this time or later. */
  readonly seenAtMs: number
  storedAtMs = performance.now()
  /** When what was to be stored so far has been. */
  stored: Promise<void> = Promise.resolve()
  /** In which language of its message each installation gets it, by number; undefined where the message has no languages. */
  languages: ReadonlyMap<number, string> | undefined
  /** What each installation is given of a message that is a test; undefined where it is none. */
  variants: ReadonlyMap<number, Assigned> | undefined
  trace: BatchTrace | undefined
  private whenGone: PromiseWithResolvers<void> | undefined
  private readonly answered = new Map<ProviderName, number>()
  private readonly dead: (DeadToken & { provider: ProviderName })[] = []
  private readonly foreign: { installationNo: number; token: string; provider: ProviderName }[] = []
  private readonly onDone: (batch: HeldBatch) => void

  constructor(
    row: BatchRow,
    message: MessageInWork,
    leasedUntilMs: number,
    onDone: (batch: HeldBatch) => void,
    seenAtMs = performance.now(),
  ) {
    this.seenAtMs = seenAtMs
    this.row = row
    this.message = message
    this.open = row.installationNos.length
    this.leasedUntilMs = leasedUntilMs
    this.onDone = onDone
  }

  /** Fulfilled when all of it is stored, or it is lost. */
  get gone(): Promise<void> {
    this.whenGone ??= Promise.withResolvers()
    return this.whenGone.promise
  }

  leave(): void {
    this.whenGone?.resolve()
  }

  /** Nobody else has it: whoever slept through the end of a lease must not send what another has taken since. */
  isOurs(): boolean {
    if (this.leasedUntilMs < performance.now()) this.isLost = true
    return !this.isLost
  }

  end(end: ItemEnd): void {
    if (end && 'settled' in end) this.settled.push(end.settled)
    if (end?.putBack) this.putBacks.push(end.putBack)
    this.open--
    if (this.open === 0) this.onDone(this)
  }

  /** Something of it can be stored before the rest is known. */
  get hasNews(): boolean {
    return this.settled.length > 0 || this.putBacks.some(({ isPaused }) => isPaused)
  }

  /**
   * What a pause has called back waits in a batch of its own: what is left in this one is with a provider. Other things
   * to be tried again stay as long as the batch does.
   */
  releasePaused(): PutBack[] {
    const released = this.putBacks.filter(({ isPaused }) => isPaused)
    this.putBacks = this.putBacks.filter(({ isPaused }) => !isPaused)
    return released
  }

  /** All of its installations may have been deleted while the batch waited. */
  handOver(): void {
    this.isHanded = true
    if (this.row.installationNos.length === 0) this.onDone(this)
  }

  /** Remembers what was said of a token until the whole batch is known: only then can it be believed. */
  note({ installationNo, provider, detail = '', deadToken, foreignToken }: Settled): void {
    if (!provider || provider === 'connection') return
    this.answered.set(provider, (this.answered.get(provider) ?? 0) + 1)
    if (deadToken !== undefined) this.dead.push({ installationNo, token: deadToken, detail, provider })
    if (foreignToken !== undefined) this.foreign.push({ installationNo, token: foreignToken, provider })
  }

  /** The providers that said something of its installations. */
  get answeredBy(): Iterable<ProviderName> {
    return this.answered.keys()
  }

  tokenAnswers(provider: ProviderName): TokenAnswers {
    return {
      provider,
      answered: this.answered.get(provider) ?? 0,
      dead: this.dead.filter((each) => each.provider === provider),
      foreign: this.foreign.filter((each) => each.provider === provider),
    }
  }
}
