import type { Config } from '#base/config.ts'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'
import type { DemoTokens } from '#features/demo/open-demo-app.ts'
import type { MetricsOfAll } from './operations/metrics-of-all.ts'

/** What every request of this process shares. */
export interface HttpServices {
  config: Config
  store: Store
  log: Logger
  now(): Date
  external: External
  /** In development only: what the try-it page uses. */
  demo?: DemoTokens | undefined
  /** Where several processes serve the same port. */
  metricsOfAll?: MetricsOfAll | undefined
}
