import type { Peers } from '#base/bus/peers.ts'
import type { Config } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import type { Authenticator } from '../http/gate/authenticate.ts'
import type { RateLimit } from '../http/gate/rate-limit.ts'
import type { ConnectAdmission } from './admission/connect-admission.ts'
import type { DisconnectQueue } from './admission/disconnect-queue.ts'
import type { Connections } from './connections.ts'
import type { FanOut } from './events/fan-out.ts'
import type { InboxSender } from './inbox/inbox-sender.ts'
import type { ConnectionMetrics } from './metrics.ts'

/** What every connection of this process shares. */
export interface ConnectionServices extends Pick<Context, 'store' | 'now' | 'log' | 'external'> {
  config: Config
  /** Who holds these connections: this process. */
  holder: string
  connections: Connections
  peers: Peers
  fanOut: FanOut
  inboxSender: InboxSender
  connectAdmission: ConnectAdmission
  disconnectQueue: DisconnectQueue
  authenticator: Authenticator
  failedKeys: RateLimit
  metrics: ConnectionMetrics
  isClosing: boolean
}
