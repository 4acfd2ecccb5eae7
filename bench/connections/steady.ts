import { startTold } from './crowd.ts'
import type { Percentiles } from './percentiles.ts'

export type SteadyOrder =
  | { do: 'start'; url: string; path: string; bodies: string[]; perSecond: number }
  /** What came since the last look. */
  | { do: 'look' }
  | { do: 'stop' }

export interface SteadyReport extends Percentiles {
  count: number
  refused: string[]
}

export interface SteadyLoad {
  look(): Promise<SteadyReport>
  stop(): Promise<SteadyReport>
}

/** The API's own load, in a process of its own, so that the crowd does not disturb its clock. */
export async function startSteadyLoad(load: Omit<Extract<SteadyOrder, { do: 'start' }>, 'do'>): Promise<SteadyLoad> {
  const { hear, send, end } = await startTold('steady-process.ts')
  const tell = (order: SteadyOrder) => {
    const report = hear()
    send(order)
    return report
  }
  await tell({ do: 'start', ...load })
  return {
    look: async () => checked((await tell({ do: 'look' })) as SteadyReport),
    stop: async () => {
      const report = checked((await tell({ do: 'stop' })) as SteadyReport)
      await end()
      return report
    },
  }
}

function checked(report: SteadyReport): SteadyReport {
  if (report.refused.length > 0) throw new Error(`The API refused: ${report.refused.join(' ')}`)
  return report
}
