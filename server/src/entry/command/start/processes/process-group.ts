import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#base/log.ts'
import type { ProcessFigures } from '#entry/http/operations/metrics-of-all.ts'
import { CommandError } from '../../command.ts'
import { endOfProcess } from './end-of-process.ts'
import type { Beginning, ToPrimary, ToProcess } from './messages.ts'
import { restartDelay } from './restart-delay.ts'

interface Member {
  /** From 1 on. Whoever is started in the place of another has the same. */
  number: number
  worker: Worker
  startedAtMs: number
  earlyEnds: number
  isListening: boolean
}

interface Gathering {
  waitingFor: Set<number>
  figures: ProcessFigures[]
  end(): void
}

const SECOND = 1_000
const metricsPatienceMs = 2 * SECOND

/**
 * The processes that serve, from the point of view of the primary. When the primary dies, Node ends each of them at once.
 *
 *   started ──begin──▶ listening ──dies──▶ wait, longer when it died young ──▶ started
 *      └──fails the first time──▶ the whole start has failed
 *   any ──end──▶ it finishes what is under way, and is not started again
 */
export class ProcessGroup {
  private readonly log: Logger
  private readonly members = new Map<number, Member>()
  private readonly gatherings = new Map<number, Gathering>()
  private readonly beginning = Promise.withResolvers<Beginning>()
  private readonly firstStart = Promise.withResolvers<void>()
  private readonly ending = new AbortController()
  private questions = 0
  private isBegun = false

  constructor(count: number, log: Logger) {
    this.log = log
    for (const { promise } of [this.beginning, this.firstStart]) promise.catch(() => undefined)
    for (let number = 1; number <= count; number++) this.start(number, 0)
  }

  /** They read their code until they are told what is there. Answers when all of them listen. */
  async begin(beginning: Beginning): Promise<void> {
    this.beginning.resolve(beginning)
    await this.firstStart.promise
    this.isBegun = true
  }

  /** Those beyond the count are not needed after all. */
  keepOnly(count: number): void {
    for (const { number, worker } of this.members.values()) {
      if (number <= count) continue
      this.members.delete(number)
      worker.process.kill('SIGKILL')
    }
  }

  /** All finish what is under way. */
  async end({ isPlanned }: { isPlanned: boolean }): Promise<void> {
    this.ending.abort()
    const ended = [...this.members.values()].map(({ worker }) => (worker.isDead() ? undefined : once(worker, 'exit')))
    for (const member of this.members.values()) tell(member, { kind: 'end', isPlanned })
    await Promise.all(ended)
  }

  endAtOnce(): void {
    this.ending.abort()
    for (const { worker } of this.members.values()) worker.process.kill('SIGKILL')
  }

  private start(number: number, earlyEnds: number): void {
    const worker = cluster.fork()
    const member: Member = { number, worker, startedAtMs: performance.now(), earlyEnds, isListening: false }
    this.members.set(number, member)
    worker.on('error', (error) =>
      this.log.warn({ err: error, process: number }, 'a process could not be told something'),
    )
    worker.on('message', (message: ToPrimary) => this.receive(member, message))
    void endOfProcess(worker).then((how) => this.onEnd(member, how))
    this.beginning.promise.then(
      (beginning) => tell(member, { kind: 'begin', process: number, beginning }),
      () => undefined,
    )
  }

  private receive(member: Member, message: ToPrimary): void {
    switch (message.kind) {
      case 'listening':
        member.isListening = true
        this.log.info({ process: member.number, pid: member.worker.process.pid }, 'a process serves')
        if ([...this.members.values()].every(({ isListening }) => isListening)) this.firstStart.resolve()
        return
      case 'failed':
        if (this.isBegun) this.log.error({ process: member.number, reason: message.message }, 'a process cannot start')
        else this.firstStart.reject(new CommandError(message.message))
        return
      case 'gather-metrics':
        void this.gather().then((figures) => tell(member, { kind: 'metrics', question: message.question, figures }))
        return
      case 'metrics': {
        const gathering = this.gatherings.get(message.question)
        gathering?.figures.push({ process: member.number, metrics: message.metrics })
        this.stopWaiting(member.number, gathering)
      }
    }
  }

  /** A process that does not answer in time is left out, as one that is not there. */
  private async gather(): Promise<ProcessFigures[]> {
    const question = ++this.questions
    const listening = [...this.members.values()].filter(({ isListening }) => isListening)
    const { promise: all, resolve: end } = Promise.withResolvers<void>()
    const gathering: Gathering = { waitingFor: new Set(listening.map(({ number }) => number)), figures: [], end }
    this.gatherings.set(question, gathering)
    for (const member of listening) tell(member, { kind: 'show-metrics', question })
    await Promise.race([all, sleep(metricsPatienceMs)])
    this.gatherings.delete(question)
    return gathering.figures.sort((one, other) => one.process - other.process)
  }

  private stopWaiting(number: number, gathering: Gathering | undefined): void {
    gathering?.waitingFor.delete(number)
    if (gathering?.waitingFor.size === 0) gathering.end()
  }

  private async onEnd(member: Member, how: string): Promise<void> {
    const { number } = member
    for (const gathering of this.gatherings.values()) this.stopWaiting(number, gathering)
    member.isListening = false
    if (this.ending.signal.aborted || this.members.get(number) !== member) return
    if (!this.isBegun) return this.firstStart.reject(new CommandError(`A process ended while it started (${how}).`))
    const { delayMs, earlyEnds } = restartDelay(performance.now() - member.startedAtMs, member.earlyEnds)
    this.log.error({ process: number, how, delayMs }, 'a process ended unexpectedly; it is started again')
    await sleep(delayMs, undefined, { signal: this.ending.signal }).catch(() => undefined)
    if (!this.ending.signal.aborted) this.start(number, earlyEnds)
  }
}

/** Whoever has ended meanwhile is told nothing. */
function tell({ worker }: Member, message: ToProcess): void {
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined)
}
