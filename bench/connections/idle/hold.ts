import { setTimeout as sleep } from 'node:timers/promises'
import { readUsage } from '../../measure/usage.ts'
import type { Holders } from './holders.ts'

const lookEverySeconds = 60

export interface Held {
  seconds: number
  beginMb: number
  endMb: number
  /** Of the service and of PostgreSQL, in each second. */
  cpuMs: number
  databaseCpuMs: number
  lost: number
}

/** Nothing is sent for so long but the clients' pings. */
export async function hold(holders: Holders, databasePid: number, seconds: number): Promise<Held> {
  const read = () => ({
    atMs: performance.now(),
    ...holders.readUsage(),
    databaseCpuMs: readUsage(databasePid)?.cpuMs ?? Number.NaN,
  })
  const begin = read()
  const endAtMs = begin.atMs + seconds * 1000
  let end = begin
  while (end.atMs < endAtMs) {
    await sleep(Math.min(lookEverySeconds * 1000, endAtMs - end.atMs))
    end = read()
    const { connected } = await holders.look()
    const passed = Math.round((end.atMs - begin.atMs) / 1000)
    console.log(`  after ${passed} s: ${connected.toLocaleString('en-US')} are connected, ${Math.round(end.rssMb)} MB`)
  }
  const measuredSeconds = (end.atMs - begin.atMs) / 1000
  return {
    seconds: measuredSeconds,
    beginMb: begin.rssMb,
    endMb: end.rssMb,
    cpuMs: (end.cpuMs - begin.cpuMs) / measuredSeconds,
    databaseCpuMs: (end.databaseCpuMs - begin.databaseCpuMs) / measuredSeconds,
    lost: (await holders.look()).lost,
  }
}
