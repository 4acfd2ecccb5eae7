import type { BuildHook, OpenHook } from './notification/hooks.ts'

/** What a service worker of the app may set, after `importScripts` of ours. */
export interface PeykWorker {
  onBuildNotification(hook: BuildHook): void
  onNotificationOpen(hook: OpenHook): void
}

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface WorkerEvents {
  push: WaitingEvent & { data: { text(): string } | null }
  notificationclick: WaitingEvent & { notification: Notification; action: string }
  notificationclose: WaitingEvent & { notification: Notification }
  pushsubscriptionchange: WaitingEvent & { newSubscription?: PushSubscription | null }
  sync: WaitingEvent
}

interface WindowOfApp {
  url: string
  focus(): Promise<unknown>
}

/** The part of a service worker's world that we use: TypeScript has it only instead of the page's. */
export interface WorkerScope {
  peyk: PeykWorker
  PEYK_APP_ID?: string
  location: { href: string }
  registration: ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowOfApp[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): void
}
