import { readdirSync, readFileSync } from 'node:fs'

/** What a group of processes has used so far. Undefined where the system has no /proc. */
export interface Usage {
  cpuMs: number
  rssMb: number
}

const msPerTick = 10
const pageMb = 4096 / 1024 / 1024

interface Stat {
  pid: number
  parent: number
  ticks: number
  /** Time of children that have ended and were waited for. */
  endedTicks: number
  pages: number
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (position: number) => Number(fields[position - 3])
    return {
      pid,
      parent: number(4),
      ticks: number(14) + number(15),
      endedTicks: number(16) + number(17),
      pages: number(24),
    }
  } catch {
    return undefined
  }
}

function family(root: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== undefined)
  const found = all.filter((stat) => stat.pid === root)
  for (const member of found) found.push(...all.filter((stat) => stat.parent === member.pid))
  return found
}

/** A process with everything it started and that still runs. */
export function readUsage(root: number): Usage | undefined {
  if (process.platform !== 'linux') return undefined
  const members = family(root)
  const ticks = members.reduce((sum, stat) => sum + stat.ticks + stat.endedTicks, 0)
  const pages = members.reduce((sum, stat) => sum + stat.pages, 0)
  return { cpuMs: ticks * msPerTick, rssMb: pages * pageMb }
}

/** CPU microseconds for each of so many units. */
export function cpuBetween(before: Usage | undefined, after: Usage | undefined, units: number): number | undefined {
  return before && after ? ((after.cpuMs - before.cpuMs) * 1000) / units : undefined
}

/** The memory of the Node processes alone, whatever else (PostgreSQL) runs below them. */
export function readNodeMemory(root: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const nodes = family(root).filter((stat) =>
    readFileSync(`/proc/${stat.pid}/cmdline`, 'utf8').split('\0')[0]?.endsWith('node'),
  )
  return nodes.reduce((sum, stat) => sum + stat.pages, 0) * pageMb
}

/** Looks at a process's memory all the while; its end says the most that was seen. */
export function watchMemory(root: number, everyMs = 50): { end(): number | undefined } {
  let peakMb = readNodeMemory(root)
  const timer = setInterval(() => {
    const now = readNodeMemory(root)
    if (now !== undefined && now > (peakMb ?? 0)) peakMb = now
  }, everyMs)
  return {
    end: () => {
      clearInterval(timer)
      return peakMb
    },
  }
}
