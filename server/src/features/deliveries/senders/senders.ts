import type { AppIdentity, Context } from '#base/context.ts'
import { clearTrouble } from '../../accounts/providers/clear-trouble.ts'
import { listCredentials } from '../../accounts/providers/list-credentials.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { recordTrouble } from '../../accounts/providers/record-trouble.ts'
import type { StoredProvider } from '../../accounts/providers/stored-provider.ts'
import type { ProviderStates } from '../dispatch/decide-delivery.ts'
import type { Lane } from '../dispatch/held-batch.ts'
import { type Outcome, type Provider, type ProviderName, providerNames } from '../provider.ts'
import { type ApnsTokens, openApnsTokens } from '../providers/apns/apns-tokens.ts'
import { openStoredProvider } from '../providers/open-stored-provider.ts'
import { putBackOf } from './end-of-item.ts'
import { findChanged } from './find-changed.ts'
import type { SendItem } from './send-item.ts'
import { Sender, type SenderState } from './sender.ts'
import { SharedSending } from './shared-sending.ts'
import { TroubleWatch } from './trouble-watch.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

interface ProviderState {
  version: string
  isPaused: boolean
  sender: Sender | undefined
}

interface AppProviders {
  label: string
  states: Map<ProviderName, ProviderState>
  readAtMs: number
}

export interface SenderFigures {
  /** How often each provider answered what, since the start of the process. */
  outcomes: ReadonlyMap<ProviderName, ReadonlyMap<Outcome['kind'], number>>
  /** Of each app and provider that something was sent to lately. */
  senders: { provider: ProviderName; state: SenderState; inFlight: number }[]
}

const freshMs = 1_000
const maxInFlight = 1_000
const maxWaiting = 2_000

/** The senders of all apps: one for each app and provider, made when there is something to send. */
export class Senders {
  private readonly services: Services
  private readonly shared: SharedSending
  private readonly onRoom: () => void
  private readonly apps = new Map<number, AppProviders>()
  private readonly closing = new Set<Promise<void>>()
  private readonly watches = new WeakMap<Sender, TroubleWatch>()
  private readonly outcomes = new Map<ProviderName, Map<Outcome['kind'], number>>()
  private readonly apnsTokens: ApnsTokens

  constructor(services: Services, options: { ratePerSecond: number; onRoom: () => void }) {
    this.services = services
    const { store, external, log } = services
    this.apnsTokens = openApnsTokens({ store, secretBox: external.secretBox, log })
    this.shared = new SharedSending(store, options.ratePerSecond, (key) => this.findByKey(key))
    this.onRoom = options.onRoom
  }

  /** Reads the credentials of apps whose were not read for a second. */
  async refresh(apps: ReadonlyMap<number, string>): Promise<void> {
    const nowMs = performance.now()
    const stale = [...apps].filter(([id]) => nowMs - (this.apps.get(id)?.readAtMs ?? -freshMs) >= freshMs)
    if (stale.length === 0) return
    const stored = await listCredentials(this.services, { appIds: stale.map(([id]) => id) })
    for (const [id, label] of stale) {
      const own = stored.filter((each): each is StoredProvider<ProviderName> => each.appId === id && isDevice(each))
      this.renew({ id, label }, own, nowMs)
    }
  }

  /** Looks again at those it knows, so that a provider that was resumed is used again. */
  refreshKnown(): Promise<void> {
    return this.refresh(new Map([...this.apps].map(([id, { label }]) => [id, label])))
  }

  /** Providers that the app has credentials for, paused or not. */
  statesOf(appId: number): ProviderStates {
    return this.apps.get(appId)?.states ?? new Map()
  }

  submit(provider: ProviderName, item: SendItem): void {
    const sender = this.apps.get(item.batch.row.appId)?.states.get(provider)?.sender
    if (sender) sender.submit(item)
    else item.batch.end({ putBack: putBackOf(item, provider, 0) })
  }

  /** What of stopped messages is not with a provider yet does not go there. */
  endStopped(): void {
    for (const { states } of this.apps.values()) for (const { sender } of states.values()) sender?.endStopped()
  }

  /**
   * `blocked`: streams (`app/stream`) that should get no more for now. `crowding`: group messages
   * (`app/stream/message`) that have filled a sender, in which other messages still find room up to its limit.
   */
  room(lane: Lane): { blocked: string[]; crowding: string[] } {
    const blocked: string[] = []
    const crowding: string[] = []
    for (const [appId, { states }] of this.apps) {
      for (const [provider, { isPaused, sender }] of states) {
        const stream = `${appId}/${provider}`
        if (isPaused || (sender && !sender.hasRoom && (lane === 'personal' || !sender.hasRoomForOthers)))
          blocked.push(stream)
        else if (sender && !sender.hasRoom) for (const id of sender.waitingGroups) crowding.push(`${stream}/${id}`)
      }
    }
    return { blocked, crowding }
  }

  get figures(): SenderFigures {
    const { outcomes } = this
    const senders: SenderFigures['senders'] = []
    for (const { states } of this.apps.values()) {
      for (const [provider, { sender }] of states)
        senders.push({ provider, state: sender?.state ?? 'paused', inFlight: sender?.countInFlight ?? 0 })
    }
    return { outcomes, senders }
  }

  private count(provider: ProviderName, kind: Outcome['kind']): void {
    const kinds = this.outcomes.get(provider) ?? new Map<Outcome['kind'], number>()
    this.outcomes.set(provider, kinds)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }

  async close(): Promise<void> {
    for (const { states } of this.apps.values()) for (const state of states.values()) this.retire(state.sender)
    this.apps.clear()
    await Promise.all(this.closing)
  }

  private renew(identity: AppIdentity, stored: readonly StoredProvider<ProviderName>[], nowMs: number): void {
    const app = this.apps.get(identity.id) ?? {
      label: identity.label,
      states: new Map<ProviderName, ProviderState>(),
      readAtMs: 0,
    }
    this.apps.set(identity.id, app)
    app.readAtMs = nowMs
    for (const [provider, state] of app.states) {
      const now = stored.find((each) => each.provider === provider)
      if (now && now.version === state.version && (now.paused !== undefined) === isHeldPaused(state)) continue
      this.retire(state.sender)
      app.states.delete(provider)
    }
    for (const each of stored)
      if (!app.states.has(each.provider)) app.states.set(each.provider, this.openState(identity, each))
    for (const [provider, { sender, version }] of app.states)
      if (sender) this.shared.renew(keyOf(identity.id, provider, version), sender)
  }

  private findByKey(key: string): Sender | undefined {
    const [appId, provider, version] = key.split('/') as [string, ProviderName, string]
    const state = this.apps.get(Number(appId))?.states.get(provider)
    return state?.version === version ? state.sender : undefined
  }

  private openState(app: AppIdentity, stored: StoredProvider<ProviderName>): ProviderState {
    const opened = openStoredProvider({ ...this.services, apnsTokens: this.apnsTokens }, stored)
    const sender = opened && this.openSender(app, opened, stored.version)
    return { version: stored.version, isPaused: sender === undefined, sender }
  }

  private openSender(app: AppIdentity, provider: Provider, version: string): Sender {
    const { services } = this
    const troubles = this.watchTroubles(app, provider.name, version)
    const sender = new Sender(provider, {
      ratePerSecond: this.shared.firstRate,
      maxInFlight,
      maxWaiting,
      now: services.now,
      onRoom: this.onRoom,
      findChanged: (items) => findChanged(services.store, items),
      onOutcome: (outcome) => {
        this.count(provider.name, outcome.kind)
        troubles.see(outcome)
      },
      onWait: (wait) => this.shared.tellWait(keyOf(app.id, provider.name, version), wait),
      onPaused: async (reason) => {
        try {
          await pauseProvider({ ...services, app }, { provider: provider.name, reason, version })
        } catch (error) {
          services.log.error({ err: error }, 'a provider could not be marked as paused; it is tried again')
        }
      },
    })
    this.watches.set(sender, troubles)
    return sender
  }

  private watchTroubles(app: AppIdentity, provider: ProviderName, version: string): TroubleWatch {
    const ctx = { ...this.services, app }
    const keep = (work: Promise<void>) =>
      work.catch((error) => {
        ctx.log.warn({ err: error }, 'how a provider does could not be stored; it is tried again')
        throw error
      })
    return new TroubleWatch({
      now: ctx.now,
      onTrouble: (since, reason) => {
        ctx.log.warn({ app: app.label, provider, since, reason }, 'a provider takes nothing')
        return keep(recordTrouble(ctx, { provider, version, since, reason }))
      },
      onRecovered: () => keep(clearTrouble(ctx, { provider })),
    })
  }

  private retire(sender: Sender | undefined): void {
    if (!sender) return
    sender.close()
    const closed = sender.provider
      .close()
      .then(() => this.watches.get(sender)?.settled())
      .finally(() => this.closing.delete(closed))
    this.closing.add(closed)
  }
}

function keyOf(appId: number, provider: ProviderName, version: string): string {
  return `${appId}/${provider}/${version}`
}

/** Paused as the store knows it: when the store says otherwise, somebody has resumed it. */
function isHeldPaused({ sender }: ProviderState): boolean {
  return sender === undefined || sender.isPauseStored
}

function isDevice({ provider }: StoredProvider): boolean {
  return (providerNames as readonly string[]).includes(provider)
}
