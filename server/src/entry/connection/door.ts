import type { Config } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Connections } from './connections.ts'
import type { FanOut } from './fan-out.ts'
import type { ConnectionMetrics } from './metrics.ts'
import type { Peers } from './peers.ts'
import type { Postman } from './postman.ts'
import type { Turnstile } from './turnstile.ts'
import type { WayOut } from './way-out.ts'

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
