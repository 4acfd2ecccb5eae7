import type { Config } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import type { Authenticator } from '../http/gate/authenticate.ts'
import type { RateLimit } from '../http/gate/rate-limit.ts'
import type { Turnstile } from './admission/turnstile.ts'
import type { WayOut } from './admission/way-out.ts'
import type { Connections } from './connections.ts'
import type { FanOut } from './events/fan-out.ts'
import type { Peers } from './events/peers.ts'
import type { Postman } from './inbox/postman.ts'
import type { ConnectionMetrics } from './metrics.ts'

/** What every connection of this process shares. */
export interface Door extends Pick<Context, 'store' | 'now' | 'log' | 'outside'> {
  config: Config
  /** Who holds these connections: this process. */
  holder: string
  connections: Connections
  peers: Peers
  fanOut: FanOut
  postman: Postman
  turnstile: Turnstile
  wayOut: WayOut
  authenticator: Authenticator
  failedKeys: RateLimit
  metrics: ConnectionMetrics
  isClosing: boolean
}
