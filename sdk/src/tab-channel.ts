import type { ConnectionStatus } from './connection.ts'
import type { Message } from './message.ts'
import type { DrawnNotification } from './notification/draw-notification.ts'
import type { BuildAnswer, NotifiedMessage, OpenAnswer } from './notification/hooks.ts'
import type { OpenedNotification } from './notification/open-notification.ts'
import type { ShownNotification } from './notification/show-once.ts'

/** What the page that leads is asked, because only pages have the app's hooks. */
export type Question =
  | { about: 'build'; drawn: DrawnNotification; message: NotifiedMessage }
  | { about: 'open'; action: OpenedNotification }

/** What the pages and the service worker of one app tell each other. */
export type TabMessage =
  | { kind: 'message'; message: Message }
  | { kind: 'notification'; shown: ShownNotification }
  | { kind: 'recall'; messageId: string }
  | { kind: 'connection'; status: ConnectionStatus }
  /** A new page wants to know how the connection is. */
  | { kind: 'hello' }
  /** The user or the installation is another one. */
  | { kind: 'installation' }
  | { kind: 'visibility' }
  | { kind: 'question'; id: string; until: number; question: Question }
  | { kind: 'answer'; id: string; answer: BuildAnswer | OpenAnswer }

export class TabChannel {
  private readonly channel: BroadcastChannel
  private isClosed = false

  constructor(appId: string) {
    this.channel = new BroadcastChannel(`peyk:${appId}`)
  }

  post(message: TabMessage): void {
    if (!this.isClosed) this.channel.postMessage(message)
  }

  listen(listener: (message: TabMessage) => void): () => void {
    const heard = ({ data }: MessageEvent<TabMessage>) => listener(data)
    this.channel.addEventListener('message', heard)
    return () => this.channel.removeEventListener('message', heard)
  }

  close(): void {
    this.isClosed = true
    this.channel.close()
  }
}

export const leaderLock = (appId: string): string => `peyk:${appId}:connection`
export const visibleLock = (appId: string): string => `peyk:${appId}:visible`

export async function isHeld(lockName: string): Promise<boolean> {
  const { held } = await navigator.locks.query()
  return held?.some(({ name }) => name === lockName) ?? false
}
