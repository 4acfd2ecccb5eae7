import type { Platform } from './platform.ts'

/** Where phones get their tokens. */
export interface Subscriber {
  /** `vapidKey` for browsers, which subscribe for one sender only. */
  begin(platform: Platform, vapidKey: string | null): Promise<{ deviceToken: string; address: string }>
  /** The token dies. */
  end(platform: Platform, address: string): void
  /** The provider does not remember any more that the token died. */
  forget(platform: Platform, address: string): void
  /** Where a token that it gave out earlier leads; undefined when it is none of its own. */
  find(platform: Platform, deviceToken: string): string | undefined
}
