import type { Cluster } from '../measure/cluster.ts'
import type { BenchOptions } from '../measure/options.ts'
import type { Goal } from '../measure/result.ts'
import type { Cell } from '../measure/table.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import type { Contestant } from './contenders.ts'
import type { Login } from './mqtt-client.ts'

/** What the parts of the bench have in common. */
export interface World {
  options: BenchOptions
  cluster: Cluster
  database: PeykDatabase
  logins: Login[]
  contestants: Contestant[]
}

/** All contestants; in a quick run only those whom a goal speaks of. */
export function listThoseToMeasure({ options, contestants }: World, ...namesInGoals: string[]): Contestant[] {
  return options.isQuick ? contestants.filter(({ name }) => namesInGoals.includes(name)) : contestants
}

/** What a part found. */
export interface Found {
  title: string
  header: string[]
  rows: Cell[][]
  goals: Goal[]
  figures: Record<string, unknown>
}
