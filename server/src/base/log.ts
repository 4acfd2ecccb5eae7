import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger }

/** Readable on a terminal, one JSON object per line otherwise. `base` is on every line. */
export function createLogger(options: { level: string; isTerminal: boolean; base?: Record<string, unknown> }): Logger {
  const { level, base = null } = options
  if (!options.isTerminal) return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime })
  const stream = pretty({
    colorize: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  })
  return pino({ level, base }, stream)
}
