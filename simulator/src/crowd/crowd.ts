import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callService, type KnownDevice, type Service } from '../phones/call-service.ts'
import type { HeldPush } from '../phones/held-push.ts'
import { RetryLoop, type StepResult } from '../phones/retry-loop.ts'
import type { Subscriber } from '../phones/subscriber.ts'
import { Agenda } from './agenda.ts'
import { type CrowdState, type CrowdView, type MemberStart, startMember, startOwner } from './crowd-state.ts'
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
 * app is replaced after a while. The devices that the app had before them have owners too, who never sign off. It rests
 * where the service has not said that its app may have a crowd.
 */
export class Crowd {
  private readonly state: CrowdState
  private readonly options: CrowdOptions
  private service: Service | undefined
  private readonly members = new Map<number, Member>()
  /** Of the devices that the service knew before. */
  private readonly owners = new Set<Member>()
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
    for (const kept of options.kept.members) this.join(kept)
    this.meetOwners(options.service?.crowd?.devices)
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
    this.meetOwners(service.crowd?.devices)
    this.resume()
  }

  /** Goes on where it was before a restart of the simulator. */
  resume(): void {
    for (const { phone } of this.everybody) phone.resume()
    this.wake()
  }

  /** A provider accepted a push; false when it is not for one of them. */
  arrive(address: string, push: HeldPush): boolean {
    const member = this.state.size > 0 ? this.byAddress.get(address) : undefined
    member?.receive(push)
    return member !== undefined
  }

  /** The endpoints of their subscriptions lead nowhere any more. */
  subscribeBrowsersAgain(): void {
    for (const { phone } of this.everybody) if (phone.state.platform === 'web') phone.subscribeAgain()
  }

  close(): void {
    this.end.abort()
    this.loop.close()
    this.agenda.clear()
    clearTimeout(this.keeping)
    for (const member of this.everybody) member.close()
  }

  private get everybody(): Member[] {
    return [...this.members.values(), ...this.owners]
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
    this.agenda.after(this.chance.exponential(shortestMeanMs(this.state.size + this.owners.size, visitsPerDay)), () => {
      const member = this.chance.oneOf(this.everybody)
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
    const member = this.join({ no: this.state.nextNo++ })
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

  private add(start: MemberStart): Member {
    let { address } = start.state
    const member = new Member(start, {
      agenda: this.agenda,
      subscriber: this.options.subscriber,
      service: () => (this.isAwake ? this.service : undefined),
      onChange: ({ phone }) => {
        if (phone.state.address !== address) {
          if (address !== null) this.byAddress.delete(address)
          address = phone.state.address
          if (address !== null) this.byAddress.set(address, member)
        }
        if (this.owners.has(member) && phone.state.installationId === null) this.drop(member)
        this.changed()
      },
      onLeft: (_, left) => this.lose(member, left),
    })
    if (address !== null) this.byAddress.set(address, member)
    return member
  }

  private join(kept: Parameters<typeof startMember>[0]): Member {
    const member = this.add(startMember(kept))
    this.members.set(member.no, member)
    return member
  }

  /** The owners of these devices, and of no others. Those who join have the positive numbers. */
  private meetOwners(devices: readonly KnownDevice[] = []): void {
    const tokens = new Set(devices.map(({ deviceToken }) => deviceToken))
    const known = new Set<string | null>()
    for (const member of this.owners) {
      const { deviceToken } = member.phone.state
      if (deviceToken !== null && tokens.has(deviceToken)) known.add(deviceToken)
      else this.drop(member)
    }
    for (const [index, device] of devices.entries()) {
      const address = this.options.subscriber.find(device.platform, device.deviceToken)
      const hasLeft = this.state.left.some((left) => left.address === address)
      if (address === undefined || hasLeft || known.has(device.deviceToken)) continue
      this.owners.add(this.add(startOwner(-1 - index, device, address)))
    }
  }

  private lose(member: Member, address: string | null): void {
    const isReplaced = this.members.has(member.no)
    this.drop(member)
    const { left } = this.state
    if (address !== null) left.push({ platform: member.person.platform, address })
    while (left.length > mostLeft) {
      const [oldest] = left.splice(0, 1)
      if (oldest) this.options.subscriber.forget(oldest.platform, oldest.address)
    }
    if (!isReplaced) return
    this.awaited++
    this.agenda.after(this.chance.exponential(untilReplacedMs), () => {
      this.awaited--
      this.loop.wake()
    })
  }

  private drop(member: Member): void {
    member.close()
    this.members.delete(member.no)
    this.owners.delete(member)
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
