import { randomUUID } from 'node:crypto'
import type { Service } from './call-service.ts'
import type { HeldPush } from './held-push.ts'
import { Phone } from './phone.ts'
import { type PhoneState, type PhoneView, viewPhone } from './phone-state.ts'
import type { Permission, Platform } from './platform.ts'
import type { Subscriber } from './subscriber.ts'

export type PhoneChange = { kind: 'changed'; phone: PhoneView } | { kind: 'removed'; id: string }

export interface NewPhone {
  platform: Platform
  userId: string
  permission?: Permission
}

/** All virtual phones, by id and by the address at which their provider finds them. */
export class Phones {
  private readonly phones = new Map<string, Phone>()
  private readonly byAddress = new Map<string, Phone>()
  private readonly watchers = new Set<(change: PhoneChange) => void>()
  private readonly subscriber: Subscriber
  private service: Service | undefined

  constructor(options: { kept: readonly PhoneState[]; subscriber: Subscriber; service: Service | undefined }) {
    this.subscriber = options.subscriber
    this.service = options.service
    for (const state of options.kept) this.hold(state)
  }

  list(): PhoneView[] {
    return [...this.phones.values()].map(({ state }) => viewPhone(state))
  }

  /** What has to be kept until the next run. */
  states(): PhoneState[] {
    return [...this.phones.values()].map(({ state }) => state)
  }

  find(id: string): Phone | undefined {
    return this.phones.get(id)
  }

  add({ platform, userId, permission = 'allowed' }: NewPhone): PhoneView {
    const now = Date.now()
    const state: PhoneState = {
      id: randomUUID(),
      platform,
      userId,
      permission,
      online: true,
      installed: true,
      installNo: 1,
      installationId: null,
      deviceToken: null,
      address: null,
      vapidKey: null,
      isRegistered: false,
      installedAt: now,
      launchedAt: now,
      launchCount: 0,
      notifications: [],
      seen: [],
      held: [],
      receipts: [],
    }
    const phone = this.hold(state)
    phone.launch()
    this.tell({ kind: 'changed', phone: viewPhone(state) })
    return viewPhone(state)
  }

  view({ state }: Phone): PhoneView {
    return viewPhone(state)
  }

  /** The phone is gone for good, and its token with it. */
  remove(phone: Phone): void {
    phone.uninstall()
    phone.close()
    this.phones.delete(phone.state.id)
    this.tell({ kind: 'removed', id: phone.state.id })
  }

  /** From now on phones talk to this service. */
  useService(service: Service): void {
    this.service = service
    for (const phone of this.phones.values()) phone.registerAgain()
  }

  resume(): void {
    for (const phone of this.phones.values()) phone.resume()
  }

  /** The endpoints of their subscriptions lead nowhere any more. */
  subscribeBrowsersAgain(): void {
    for (const phone of this.phones.values()) if (phone.state.platform === 'web') phone.subscribeAgain()
  }

  /** A provider accepted a push; false when it is not for one of the phones. */
  arrive(address: string, push: HeldPush): boolean {
    const phone = this.byAddress.get(address)
    phone?.receive(push)
    return phone !== undefined
  }

  watch(watcher: (change: PhoneChange) => void): () => void {
    this.watchers.add(watcher)
    return () => void this.watchers.delete(watcher)
  }

  close(): void {
    for (const phone of this.phones.values()) phone.close()
    this.watchers.clear()
  }

  private hold(state: PhoneState): Phone {
    let { address } = state
    const phone: Phone = new Phone(state, {
      subscriber: this.subscriber,
      service: () => this.service,
      onChange: () => {
        if (state.address !== address) {
          if (address !== null) this.byAddress.delete(address)
          address = state.address
          if (address !== null) this.byAddress.set(address, phone)
        }
        this.tell({ kind: 'changed', phone: viewPhone(state) })
      },
    })
    this.phones.set(state.id, phone)
    if (address !== null) this.byAddress.set(address, phone)
    return phone
  }

  private tell(change: PhoneChange): void {
    for (const watcher of this.watchers) watcher(change)
  }
}
