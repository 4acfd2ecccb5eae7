import type { LoadGenerator } from './load.ts'
import type { Machine } from './machine.ts'

/** What every bench is told by the command line and the machine. */
export interface BenchOptions {
  machine: Machine
  /** Of a `trial` not everything is measured as usual: its figures are not shown in docs/internals/benchmarks.md. */
  effort: 'whole' | 'quick' | 'trial'
  /** Only what one short round can tell is measured; the rest is left out. */
  isQuick: boolean
  generator: LoadGenerator
  rounds: number
  /** How long one load lasts. */
  seconds: number
  /** Installations in the segment and panel benches, and of the biggest send in fan-out. */
  scale: number
  /** Where the database is kept between runs; undefined: nothing is. */
  folder: string | undefined
  /** Clients in the connections bench, and which of its parts; none named means all. */
  clients: number
  parts: string[]
  /** Connections that are only held, in its part `idle`, and for how many seconds. */
  idle: number
  holdSeconds: number
  /** Keep a CPU profile of the service and show where its time went. */
  profile: boolean
  /** Show what PostgreSQL did, statement by statement. */
  statements: boolean
}
