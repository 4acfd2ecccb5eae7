import type { Cluster } from '../measure/cluster.ts'
import type { BenchOptions } from '../measure/options.ts'
import type { Goal } from '../measure/result.ts'
import type { RunningSimulator } from '../subjects/simulator.ts'

/** What the parts of the bench have in common. */
export interface World {
  options: BenchOptions
  cluster: Cluster
  simulator: RunningSimulator
  /** Of the usual send. */
  installations: number
}

/** What a part found. */
export interface Found {
  goals: Goal[]
  figures: Record<string, unknown>
}
