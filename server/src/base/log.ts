import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger }

/** Readable on a terminal, one JSON object per line otherwise. */
export function createLogger(options: { level: string; isTerminal: boolean }): Logger {
  if (!options.isTerminal) return pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  const stream = pretty({
    colorize: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  })
  return pino({ level: options.level, base: null }, stream)
}
