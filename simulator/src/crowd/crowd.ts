import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callService, type Service } from '../phones/call-service.ts'
import type { HeldPush } from '../phones/held-push.ts'
import { RetryLoop, type StepResult } from '../phones/retry-loop.ts'
import type { Subscriber } from '../phones/subscriber.ts'
import { Agenda } from './agenda.ts'
import type { CrowdState, CrowdView, KeptMember } from './crowd-state.ts'
import { busynessAt, shortestMeanMs } from './daily-rhythm.ts'
import { Member } from './member.ts'
import { seededRandom } from './seeded-random.ts'

interface CrowdOptions {
  kept: CrowdState
  subscriber: Subscriber
  service: Service | undefined
  onChange(): void
}

/** Between two who come, or go, or say to another service who they are. */
const stepMs = 50
const registrationMs = 8_000
const keepEveryMs = 5_000
const visitsPerDay = 2
const untilReplacedMs = 600_000
const mostLeft = 1_000

/**
 * Hundreds of made-up users of one app, who live by themselves: they visit and buy in a daily rhythm, and receive, open
 * and dismiss what is sent. They come one after the other until there are as many as there should be; who removes the
 * app is replaced after a while. It rests where the service has not said that its app may have a crowd.
 */
export class Crowd {
  private readonly state: CrowdState
  private readonly options: CrowdOptions
  private service: Service | undefined
  private readonly members = new Map<number, Member>()
  private readonly byAddress = new Map<string, Member>()
  private readonly agenda: Agenda
  private readonly chance = seededRandom(randomUUID())
  private readonly loop = new RetryLoop(() => this.settle())
  private readonly end = new AbortController()
  /** Those who are to say again who they are. */
  private toMeet: Member[] = []
  /** Who comes later in the place of one who left. */
  private awaited = 0
  private keeping: NodeJS.Timeout | undefined
  /** The next visit stands on the agenda. */
  private isVisitDue = false

  constructor(options: CrowdOptions) {
    this.options = options
    this.state = options.kept
    this.service = options.service
    this.agenda = new Agenda(0)
    for (const kept of options.kept.members) this.hold(kept)
  }

  view(): CrowdView {
    const members = [...this.members.values()]
    return {
      size: this.state.size,
      pace: this.state.pace,
      members: members.filter(({ phone }) => phone.state.installationId !== null).length,
      connected: members.filter(({ phone }) => phone.view().connected).length,
      pending: this.agenda.length,
    }
  }

  /** What has to be kept until the next run. */
  kept(): CrowdState {
    return { ...this.state, members: [...this.members.values()].map((member) => member.kept()) }
  }

  set({ size = this.state.size, pace = this.state.pace }: { size?: number; pace?: number }): CrowdView {
    Object.assign(this.state, { size, pace })
    this.wake()
    this.options.onChange()
    return this.view()
  }

  useService(service: Service): void {
    this.service = service
    if (service.crowd?.size !== undefined) this.state.size = service.crowd.size
    if (service.crowd && this.state.clientKey !== service.clientKey) {
      this.state.clientKey = service.clientKey
      this.toMeet = [...this.members.values()]
    }
    this.resume()
  }

  /** Goes on where it was before a restart of the simulator. */
  resume(): void {
    for (const { phone } of this.members.values()) phone.resume()
    this.wake()
  }

  /** A provider accepted a push; false when it is not for one of them. */
  arrive(address: string, push: HeldPush): boolean {
    const member = this.byAddress.get(address)
    member?.receive(push)
    return member !== undefined
  }

  /** The endpoints of their subscriptions lead nowhere any more. */
  subscribeBrowsersAgain(): void {
    for (const { phone } of this.members.values()) if (phone.state.platform === 'web') phone.subscribeAgain()
  }

  close(): void {
    this.end.abort()
    this.loop.close()
    this.agenda.clear()
    clearTimeout(this.keeping)
    for (const member of this.members.values()) member.close()
  }

  private get isAwake(): boolean {
    return this.service?.crowd !== undefined
  }

  private wake(): void {
    this.agenda.pace = this.isAwake ? this.state.pace : 0
    this.loop.wake({ endPause: true })
    if (!this.isVisitDue) this.awaitVisit()
  }

  /** Somebody comes to the shop, more often when it is evening where they live. */
  private awaitVisit(): void {
    this.isVisitDue = this.isAwake && this.state.size > 0
    if (!this.isVisitDue) return
    this.agenda.after(this.chance.exponential(shortestMeanMs(this.state.size, visitsPerDay)), () => {
      const member = this.chance.oneOf([...this.members.values()])
      if (member && this.chance.isTrue(busynessAt(Date.now(), member.person.timeZone))) member.visit()
      this.awaitVisit()
    })
  }

  /** One step towards as many as there should be, all known to the service. */
  private async settle(): Promise<StepResult> {
    const { service } = this
    if (!service || !this.isAwake) return 'idle'
    const result = await this.settleOne(service)
    if (result === 'again') await sleep(stepMs, undefined, { signal: this.end.signal, ref: false }).catch(() => {})
    return result
  }

  private async settleOne(service: Service): Promise<StepResult> {
    if (this.members.size > this.state.size) return this.sendAway([...this.members.values()].at(-1) as Member, service)
    const [next] = this.toMeet
    if (next) {
      this.toMeet.shift()
      if (this.members.get(next.no) === next) next.phone.meetService()
      return 'again'
    }
    return this.members.size + this.awaited < this.state.size ? this.letIn() : 'idle'
  }

  /** Whom the service does not take does not come, and tries again later. */
  private async letIn(): Promise<StepResult> {
    const member = this.hold({ no: this.state.nextNo++ })
    member.phone.launch()
    try {
      await member.phone.whenRegistered(registrationMs)
      return 'again'
    } catch {
      this.drop(member)
      this.state.nextNo = member.no
      return 'later'
    }
  }

  private async sendAway(member: Member, service: Service): Promise<StepResult> {
    const { installationId } = member.phone.state
    const path = `/api/installations/${installationId}`
    const answer = installationId && (await callService(service, 'DELETE', path, undefined, this.end.signal))
    if (answer && answer.kind === 'later') return 'later'
    this.drop(member)
    this.state.nextNo = Math.min(this.state.nextNo, member.no)
    return 'again'
  }

  private hold(kept: Pick<KeptMember, 'no'> & Partial<KeptMember>): Member {
    let address: string | null = kept.address ?? null
    const member = new Member(kept, {
      agenda: this.agenda,
      subscriber: this.options.subscriber,
      service: () => (this.isAwake ? this.service : undefined),
      onChange: ({ phone }) => {
        if (phone.state.address !== address) {
          if (address !== null) this.byAddress.delete(address)
          address = phone.state.address
          if (address !== null) this.byAddress.set(address, member)
        }
        this.changed()
      },
      onLeft: (_, left) => this.lose(member, left),
    })
    this.members.set(member.no, member)
    if (address !== null) this.byAddress.set(address, member)
    return member
  }

  private lose(member: Member, address: string | null): void {
    this.drop(member)
    const { left } = this.state
    if (address !== null) left.push({ platform: member.person.platform, address })
    while (left.length > mostLeft) {
      const [oldest] = left.splice(0, 1)
      if (oldest) this.options.subscriber.forget(oldest.platform, oldest.address)
    }
    this.awaited++
    this.agenda.after(this.chance.exponential(untilReplacedMs), () => {
      this.awaited--
      this.loop.wake()
    })
  }

  private drop(member: Member): void {
    member.close()
    this.members.delete(member.no)
    const { address } = member.phone.state
    if (address !== null) this.byAddress.delete(address)
    this.changed()
  }

  /** Kept now and then only: what is lost in between is a launch or two, or a member who registers again. */
  private changed(): void {
    if (this.end.signal.aborted) return
    this.keeping ??= setTimeout(() => {
      this.keeping = undefined
      this.options.onChange()
    }, keepEveryMs).unref()
  }
}
