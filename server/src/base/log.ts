import type { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { redactHex } from './secrets/redact-tokens.ts'
import { currentSpan, logFieldsOf } from './trace/tracing.ts'

export type { Logger }

interface LogOptions {
  level: string
  isTerminal: boolean
  /** On every line. */
  base?: Record<string, unknown>
  /** Lines of what is traced say to which trace they belong. */
  isTraced?: boolean
  /** Default: stdout. */
  to?: Writable
}

export const prettyOptions = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true } as const

/** Readable on a terminal, one JSON object per line otherwise. */
export function createLogger({ level, isTerminal, base, isTraced, to }: LogOptions): Logger {
  // Errors quote SQL statements and third-party responses, any of which may contain an access token.
  const hooks = { streamWrite: redactHex }
  const options = { level, base: base ?? null, hooks, ...(isTraced && { mixin: () => logFieldsOf(currentSpan()) }) }
  const plain = { ...options, timestamp: pino.stdTimeFunctions.isoTime }
  if (!isTerminal) return to ? pino(plain, to) : pino(plain)
  return pino(options, pretty({ ...prettyOptions, colorize: true, sync: true }))
}
