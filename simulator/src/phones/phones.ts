import type { Service } from './call-service.ts'
import type { HeldPush } from './held-push.ts'
import { Phone } from './phone.ts'
import { type NewPhone, newPhoneState, type PhoneState, type PhoneView } from './phone-state.ts'
import type { Subscriber } from './subscriber.ts'

export type PhoneChange = { kind: 'changed'; phone: PhoneView } | { kind: 'removed'; id: string }

/** All virtual phones, by id and by the address at which their provider finds them. */
export class Phones {
  private readonly phones = new Map<string, Phone>()
  private readonly byAddress = new Map<string, Phone>()
  private readonly watchers = new Set<(change: PhoneChange) => void>()
  private readonly subscriber: Subscriber
  private readonly stored: () => Promise<void>
  private service: Service | undefined

  constructor(options: {
    kept: readonly PhoneState[]
    subscriber: Subscriber
    service: Service | undefined
    /** Answers when the phones as they are now are kept; without it nothing is. */
    stored?: () => Promise<void>
  }) {
    this.subscriber = options.subscriber
    this.stored = options.stored ?? (async () => {})
    this.service = options.service
    for (const state of options.kept) this.hold(state)
  }

  list(): PhoneView[] {
    return [...this.phones.values()].map((phone) => phone.view())
  }

  /** What has to be kept until the next run. */
  states(): PhoneState[] {
    return [...this.phones.values()].map(({ state }) => state)
  }

  find(id: string): Phone | undefined {
    return this.phones.get(id)
  }

  add(input: NewPhone): PhoneView {
    const phone = this.hold(newPhoneState(input))
    phone.launch()
    this.tell({ kind: 'changed', phone: phone.view() })
    return phone.view()
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
    for (const phone of this.phones.values()) phone.meetService()
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
      stored: () => this.stored(),
      onChange: () => {
        if (state.address !== address) {
          if (address !== null) this.byAddress.delete(address)
          address = state.address
          if (address !== null) this.byAddress.set(address, phone)
        }
        this.tell({ kind: 'changed', phone: phone.view() })
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
