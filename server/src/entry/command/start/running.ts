import type { Config, Role } from '#base/config.ts'
import type { Logger } from '#base/log.ts'
import type { CleanupSteps } from './cleanup-steps.ts'
import type { Demo } from './demo.ts'

export interface RunningService {
  roles: readonly Role[]
  baseUrl: string
  /** Of the own connection over TCP; over WebSocket it is on the HTTP port. Undefined: another process has it. */
  mqttUrl: string | undefined
  /** In development only. */
  demo: Demo | undefined
  hasApps: boolean
  /** Somebody can sign in to the panel. */
  hasMembers: boolean
}

export interface Start {
  config: Config
  log: Logger
  /** Whatever is started is added here, so that a start that fails halfway leaves nothing running. */
  cleanup: CleanupSteps
  signal: AbortSignal
}

const SECOND = 1_000
export const stopLimitMs = 10 * SECOND
export const postgresStopLimitMs = 40 * SECOND
