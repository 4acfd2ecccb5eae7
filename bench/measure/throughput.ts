import { median, medianRatio } from './rounds.ts'
import { type Cell, printTable } from './table.ts'

/** What is measured of something that is done many times. */
export interface Throughput {
  perSecond: number
  p50Ms?: number | undefined
  p99Ms?: number | undefined
  /** CPU time for one unit, of the process that is measured and of PostgreSQL. */
  cpuMicros?: number | undefined
  databaseCpuMicros?: number | undefined
  rssMb?: number | undefined
}

const fields = ['perSecond', 'p50Ms', 'p99Ms', 'cpuMicros', 'databaseCpuMicros', 'rssMb'] as const

/** Figures per round and subject, in the order of the subjects; the first one is ours. */
export type Measurements = Map<string, Throughput[]>

export function ratioOf(measured: Measurements, ours: string, other: string): number {
  const rates = (name: string) => (measured.get(name) ?? []).map((figure) => figure.perSecond)
  return medianRatio(rates(ours), rates(other))
}

/** CPU time of a unit, PostgreSQL's included. */
export function cpuRatioOf(measured: Measurements, ours: string, other: string): number {
  const micros = (name: string) =>
    (measured.get(name) ?? []).map((figure) => (figure.cpuMicros ?? Number.NaN) + (figure.databaseCpuMicros ?? 0))
  return medianRatio(micros(ours), micros(other))
}

function summarise(rounds: Throughput[]): Partial<Throughput> {
  const middles = fields.map((field) => [field, median(rounds.map((figure) => figure[field] ?? Number.NaN))] as const)
  return Object.fromEntries(middles.filter(([, value]) => Number.isFinite(value)))
}

export function summariseAll(measured: Measurements): Record<string, unknown> {
  const entries = [...measured].map(([name, rounds]) => {
    const rates = rounds.map((figure) => Math.round(figure.perSecond))
    return [name, { ...summarise(rounds), ratesOfRounds: rates }] as const
  })
  return Object.fromEntries(entries)
}

export function printThroughput(title: string, unit: string, measured: Measurements): void {
  const [ours = ''] = measured.keys()
  const rows = [...measured].map(([name, rounds]): Cell[] => {
    const { perSecond, p50Ms, p99Ms, cpuMicros, databaseCpuMicros, rssMb } = summarise(rounds)
    return [name, perSecond, ratioOf(measured, ours, name), p50Ms, p99Ms, cpuMicros, databaseCpuMicros, rssMb]
  })
  const header = [
    '',
    `${unit}/s`,
    'Peyk ÷ this',
    'p50 ms',
    'p99 ms',
    `CPU µs/${unit}`,
    `PostgreSQL µs/${unit}`,
    'RSS MB',
  ]
  printTable(title, header, rows)
}
