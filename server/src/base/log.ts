import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { currentSpan, logFieldsOf } from './trace/tracing.ts'

export type { Logger }

interface LogOptions {
  level: string
  isTerminal: boolean
  /** On every line. */
  base?: Record<string, unknown>
  /** Lines of what is traced say to which trace they belong. */
  isTraced?: boolean
}

export const prettyOptions = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true } as const

/** Readable on a terminal, one JSON object per line otherwise. */
export function createLogger({ level, isTerminal, base, isTraced }: LogOptions): Logger {
  const options = { level, base: base ?? null, ...(isTraced && { mixin: () => logFieldsOf(currentSpan()) }) }
  if (!isTerminal) return pino({ ...options, timestamp: pino.stdTimeFunctions.isoTime })
  return pino(options, pretty({ ...prettyOptions, colorize: true, sync: true }))
}
