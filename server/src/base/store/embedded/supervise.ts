import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderInUseError, oneLine } from './embedded-postgres-error.ts'
import { HopelessStartError, type PostgresProcess } from './postgres-process.ts'

export type OnLog = (level: 'info' | 'warn' | 'error', message: string) => void

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5000
const FIRST_START_LIMIT_MS = 60_000
const COMPLAIN_EVERY_MS = 60_000

/** Starts it, and starts it again whenever it ends, until stopped. */
export async function supervise(
  launch: (signal: AbortSignal) => Promise<PostgresProcess>,
  onLog: OnLog,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: PostgresProcess | undefined

  async function retry(giveUp: (error: unknown, sinceMs: number) => boolean): Promise<PostgresProcess | undefined> {
    const begun = performance.now()
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
      try {
        return await launch(signal)
      } catch (error) {
        if (giveUp(error, performance.now() - begun)) throw error
      }
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  async function keepRunning(): Promise<void> {
    while (current && !signal.aborted) {
      const how = await current.exited
      if (signal.aborted) return
      current = undefined
      onLog('warn', `PostgreSQL ended unexpectedly (${how}); starting it again`)
      const begun = performance.now()
      let complainedMs = 0
      await sleep(FIRST_DELAY_MS, undefined, { signal }).catch(() => undefined)
      current = await retry((error, sinceMs) => {
        if (sinceMs - complainedMs >= COMPLAIN_EVERY_MS) {
          complainedMs = sinceMs
          onLog('error', `PostgreSQL is still away: ${oneLine(error)}`)
        }
        return false
      })
      if (current) onLog('info', `PostgreSQL is back after ${Math.round(performance.now() - begun)} ms`)
    }
  }

  current = await retry((error, sinceMs) => {
    const isHopeless = error instanceof HopelessStartError || error instanceof DataFolderInUseError
    return isHopeless || sinceMs >= FIRST_START_LIMIT_MS
  })
  const supervision = keepRunning()
  return {
    async stop() {
      stopping.abort()
      await current?.stop()
      await supervision
      await current?.stop()
    },
  }
}
