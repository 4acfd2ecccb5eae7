import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readUsage } from './usage.ts'

const msPerTick = 10
const quietCores = 0.15
let maxTries = 6
const pauseMs = 5_000

/** Cores that everything but this bench and what it started kept busy, stolen ones of a virtual machine too. */
export interface Disturbed<Measured> {
  figure: Measured
  othersCores: number | undefined
}

export function limitTries(tries: number): void {
  maxTries = tries
}

/**
 * Measures again while others disturb, and answers the least disturbed try. Machines are shared: what a neighbour's
 * compiler does to a service under load says nothing about the service.
 */
export async function measureQuietly<Measured>(measure: () => Promise<Measured>): Promise<Disturbed<Measured>> {
  let best: Disturbed<Measured> | undefined
  for (let attempt = 0; attempt < maxTries; attempt++) {
    if (attempt > 0) await sleep(pauseMs)
    const before = readBusy()
    const figure = await measure()
    const after = readBusy()
    const othersCores = before && after && (after.othersMs - before.othersMs) / (after.atMs - before.atMs)
    if (best === undefined || (othersCores ?? 0) < (best.othersCores ?? 0)) best = { figure, othersCores }
    if ((othersCores ?? 0) < quietCores) break
  }
  return best as Disturbed<Measured>
}

function readBusy(): { othersMs: number; atMs: number } | undefined {
  const own = readUsage(process.pid)
  if (!own) return undefined
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? []
  const [user, nice, system, , , irq, softIrq, stolen] = ticks.map(Number)
  const busy = (user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softIrq ?? 0) + (stolen ?? 0)
  return { othersMs: busy * msPerTick - own.cpuMs, atMs: performance.now() }
}
