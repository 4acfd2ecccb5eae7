import type { Load, LoadGenerator } from './load.ts'
import type { RunningProcess } from './process.ts'
import type { Subject } from './rounds.ts'
import type { Throughput } from './throughput.ts'
import { cpuBetween, readUsage } from './usage.ts'

export interface HttpSubject {
  name: string
  process: RunningProcess
  path: string
  load: Omit<Load, 'url' | 'seconds'>
  /** Units in one request: events in an array. */
  unitsPerRequest?: number
  /** How many units the database holds; what was answered with 200 must be there, and nothing else. */
  countStored?: () => Promise<number>
}

/** Puts load on a process for so long, and checks that what it acknowledged is stored. */
export function measureHttp(
  subject: HttpSubject,
  generator: LoadGenerator,
  databasePid: number,
  seconds: number,
): Subject<Throughput> {
  const { name, process, path, load, unitsPerRequest = 1, countStored } = subject
  const measure = async () => {
    const storedBefore = await countStored?.()
    const before = readUsage(process.pid)
    const databaseBefore = readUsage(databasePid)
    const result = await generator.run({ ...load, url: process.url + path, seconds })
    const after = readUsage(process.pid)
    const databaseAfter = readUsage(databasePid)
    const storedAfter = await countStored?.()
    const units = result.answers * unitsPerRequest
    if (storedBefore !== undefined && storedAfter !== undefined) {
      checkStored(name, units, storedAfter - storedBefore, result.unanswered * unitsPerRequest)
    }
    return {
      perSecond: units / seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      cpuMicros: cpuBetween(before, after, units),
      databaseCpuMicros: cpuBetween(databaseBefore, databaseAfter, units),
      rssMb: after?.rssMb,
    }
  }
  return { name, measure }
}

function checkStored(name: string, acknowledged: number, stored: number, unanswered: number): void {
  if (stored >= acknowledged && stored <= acknowledged + unanswered) return
  throw new Error(`${name} acknowledged ${acknowledged}, but ${stored} are stored.`)
}
