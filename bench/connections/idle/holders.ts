import { readUsage } from '../../measure/usage.ts'
import type { PeykDatabase } from '../../subjects/peyk.ts'
import { type Contender, startOurs } from '../contenders.ts'
import { startCrowd } from '../crowd.ts'
import { readRestingMemory, readStillMemory } from '../memory.ts'
import type { Login } from '../mqtt-client.ts'
import { type IdleClients, type IdleReports, startIdleClients } from './idle-clients.ts'

/** Several processes share what PostgreSQL takes. */
const poolOfMany = { PEYK_DATABASE_POOL: '4' }

/** The processes of the service that hold the connections, usually one, with the clients of each. */
export class Holders {
  private readonly started: { ours: Contender; clients: IdleClients }[]
  /** Before anybody is connected. */
  readonly restingMb: number

  private constructor(started: Holders['started'], restingMb: number) {
    this.started = started
    this.restingMb = restingMb
  }

  static async start(database: PeykDatabase, logins: readonly Login[], processes: number): Promise<Holders> {
    const share = Math.ceil(logins.length / processes)
    const started: Holders['started'] = []
    let restingMb = 0
    for (let first = 0; first < logins.length; first += share) {
      const own = logins.slice(first, first + share)
      const ours = await startOurs(database, own, processes > 1 ? poolOfMany : {})
      const crowd = await startCrowd()
      restingMb += await readRestingMemory(crowd, ours)
      await crowd.end()
      started.push({ ours, clients: await startIdleClients(own, { port: ours.gathering.port, first }) })
    }
    return new Holders(started, restingMb)
  }

  /** The clients of all come at the same time. */
  async connect(): Promise<IdleReports['connect']> {
    const reports = await Promise.all(this.started.map(({ clients }) => clients.connect()))
    return {
      connected: sum(reports.map(({ connected }) => connected)),
      refused: sum(reports.map(({ refused }) => refused)),
      why: [...new Set(reports.flatMap(({ why }) => why))],
    }
  }

  async look(): Promise<IdleReports['look']> {
    const reports = await Promise.all(this.started.map(({ clients }) => clients.look()))
    return {
      connected: sum(reports.map(({ connected }) => connected)),
      lost: sum(reports.map(({ lost }) => lost)),
    }
  }

  /** How many of the clients are answered. */
  async call(): Promise<number> {
    return sum((await Promise.all(this.started.map(({ clients }) => clients.call()))).map(({ answered }) => answered))
  }

  /** How many connections the service closed, by its reasons. */
  async listClosings(): Promise<Record<string, number>> {
    const closings: Record<string, number> = {}
    for (const { ours } of this.started) {
      const metrics = await (await fetch(`${ours.url}/metrics`)).text()
      for (const [, reason, count] of metrics.matchAll(/^peyk_connection_closings_total\{reason="([^"]+)"\} (\d+)/gm))
        if (reason) closings[reason] = (closings[reason] ?? 0) + Number(count)
    }
    return closings
  }

  async waitUntilStill(): Promise<void> {
    await Promise.all(this.started.map(({ ours }) => readStillMemory(ours.pid)))
  }

  readUsage(): { rssMb: number; cpuMs: number } {
    const usages = this.started.map(({ ours }) => readUsage(ours.pid))
    return {
      rssMb: sum(usages.map((usage) => usage?.rssMb ?? Number.NaN)),
      cpuMs: sum(usages.map((usage) => usage?.cpuMs ?? Number.NaN)),
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.map(({ clients }) => clients.end()))
    await Promise.all(this.started.map(({ ours }) => ours.stop()))
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
