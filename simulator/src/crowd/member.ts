import { randomUUID } from 'node:crypto'
import { callService, type Service } from '../phones/call-service.ts'
import { type HeldPush, stillValid } from '../phones/held-push.ts'
import { Phone } from '../phones/phone.ts'
import type { ShownNotification } from '../phones/phone-state.ts'
import type { Subscriber } from '../phones/subscriber.ts'
import type { Agenda } from './agenda.ts'
import { type KeptMember, keepMember, type MemberStart } from './crowd-state.ts'
import { decideArrival, decideReaction, type Reaction } from './decide-reaction.ts'
import { decideVisit, type ShopEvent } from './decide-visit.ts'
import type { Person } from './person.ts'

interface MemberWorld {
  agenda: Agenda
  subscriber: Subscriber
  service(): Service | undefined
  onChange(member: Member): void
  /** It has removed the app. */
  onLeft(member: Member, address: string | null): void
}

const shownAtMost = 10
const seenAtMost = 30
const soonMs = 10_000
const influenceMs = 12 * 3_600_000

/**
 * One of the crowd: a phone, and somebody who decides what to do with it. It says to the service what a real client
 * says, and nothing else.
 */
export class Member {
  readonly no: number
  readonly person: Person
  readonly phone: Phone
  private readonly world: MemberWorld
  private readonly end = new AbortController()
  /** It has made up its mind about these. */
  private readonly noticed = new WeakSet<ShownNotification>()

  constructor({ no, person, state }: MemberStart, world: MemberWorld) {
    this.no = no
    this.person = person
    this.world = world
    this.phone = new Phone(state, {
      subscriber: world.subscriber,
      service: world.service,
      stored: async () => {},
      onChange: () => {
        this.notice()
        world.onChange(this)
      },
    })
  }

  kept(): KeptMember {
    return keepMember(this.no, this.phone.state)
  }

  /** Its provider took a push: it comes to the device soon, when that is back, or never. */
  receive(push: HeldPush): void {
    const afterMs = decideArrival(this.no, push.pushId)
    if (afterMs === undefined) return
    this.later(afterMs, () => {
      if (afterMs < soonMs || stillValid([push], Date.now()).length > 0) this.phone.receive(push)
    })
  }

  /** Comes to the shop unasked. */
  visit(): void {
    if (this.phone.state.app === 'open' || this.phone.state.installationId === null) return
    this.phone.openApp()
    const visit = decideVisit(`${this.no} ${this.phone.state.launchCount}`, this.person, 'byThemselves')
    for (const event of visit.events) this.later(event.afterMs, () => this.track(event))
    this.later(visit.endsAfterMs, () => {
      this.phone.closeApp()
      // Nobody would hear of it where there is no provider to ask.
      if (visit.isLast && this.phone.state.provider !== 'none') this.uninstall()
    })
  }

  /** Does nothing more. */
  close(): void {
    this.end.abort()
    this.phone.close()
  }

  /** Decides about each notification when it is on the screen, by whichever way it came. */
  private notice(): void {
    const { state } = this.phone
    for (const notification of state.notifications) {
      if (this.noticed.has(notification)) continue
      this.noticed.add(notification)
      const { messageId } = notification
      const actions = notification.actions.map(({ id }) => id)
      const reaction = decideReaction(this.no, this.person, { messageId, actions })
      if (reaction) this.later(reaction.afterMs, () => this.react(reaction, notification))
    }
    // A crowd has no screens to look at.
    state.notifications = state.notifications.slice(-shownAtMost)
    state.seen = state.seen.slice(-seenAtMost)
    state.messages = []
  }

  private react(reaction: Reaction, notification: ShownNotification): void {
    // Newer ones may have pushed it off the screen.
    if (!this.phone.state.notifications.includes(notification)) return
    const { messageId } = notification
    if (reaction.act === 'dismiss') this.phone.dismiss(messageId)
    else if (reaction.act === 'uninstall') this.uninstall()
    else {
      if (reaction.act === 'take-action') this.phone.takeAction(messageId, reaction.actionId)
      else this.phone.tap(messageId)
      const { events } = decideVisit(`${this.no} ${messageId}`, this.person, 'byNotification')
      for (const event of events) this.later(event.afterMs, () => this.track(event))
    }
  }

  private uninstall(): void {
    if (this.phone.state.provider === 'none') return
    const { address } = this.phone.state
    this.phone.uninstall()
    this.world.onLeft(this, address)
  }

  /** Who has left by then does nothing any more. */
  private later(afterMs: number, act: () => void): void {
    this.world.agenda.after(afterMs, () => {
      if (!this.end.signal.aborted && this.phone.state.installed) act()
    })
  }

  /** What cannot be said now is not said: a shop loses a visit when its service is away. */
  private track({ eventName, data }: ShopEvent): void {
    const service = this.world.service()
    const { installationId, userId, platform } = this.phone.state
    if (!service || installationId === null) return
    const createdAt = Date.now()
    const influence = this.influence(createdAt)
    const event = { id: randomUUID(), eventName, createdAt, data, ...(influence && { influence }) }
    const body = { userId, installationId, deviceType: platform, createdAt, eventData: [{ type: 2, data: event }] }
    void callService(service, 'POST', '/api/installations/events', body, this.end.signal)
  }

  /** The last notification that may have brought it here. */
  private influence(now: number): object | undefined {
    const last = this.phone.state.notifications.at(-1)
    if (!last || now - last.shownAt > influenceMs) return undefined
    const direct = last.state === 'opened' || last.state === 'acted'
    const actionType = last.state === 'opened' ? 'OPENED' : last.state === 'acted' ? 'ACTION_TAKEN' : 'SHOWN'
    const { messageId, trackId, shownAt } = last
    return { actionType, msgId: messageId, ...(trackId !== undefined && { trackId }), actionTs: shownAt, direct }
  }
}
