import { measureQuietly } from '../measure/quiet.ts'
import { median, medianRatio } from '../measure/rounds.ts'
import type { Ask } from './ask.ts'
import type { Shape } from './shapes.ts'

/** Short questions are asked again and again until so much time is filled. */
const fillMs = 100
const maxRepeats = 100
/** And those that take this long are not asked again. */
const slowMs = 5_000

export interface ShapeResult {
  name: string
  found: number
  countMs: number
  countByHandMs: number
  countRatio: number
  selectMs: number
  selectByHandMs: number
  selectRatio: number
  overHttpMs: number
  parseMs: number | undefined
  othersCores: number
}

export type Askers = Record<'ours' | 'byHand' | 'oursSelect' | 'byHandSelect' | 'overHttp', Ask> & { parse?: Ask }

/** All ways that ask from the same moment find the same number, or there is no result. */
export async function measureShape(rounds: number, shape: Shape, askers: Askers): Promise<ShapeResult> {
  const entries = Object.entries(askers)
  const counts = new Map<string, number>()
  const times = new Map<string, number[]>()
  const repeats = new Map<string, number>()
  for (const [way, ask] of entries) {
    const startedAt = performance.now()
    counts.set(way, await ask())
    const firstMs = performance.now() - startedAt
    times.set(way, firstMs > slowMs ? [firstMs] : [])
    repeats.set(way, Math.min(maxRepeats, Math.ceil(fillMs / firstMs)))
  }
  // The service asks from the moment of the request, which is later than the one the others share.
  const comparable = [...counts].filter(([way]) => way !== 'overHttp').map(([, count]) => count)
  if (new Set(comparable).size > 1) {
    throw new Error(`"${shape.name}" is counted differently: ${JSON.stringify(Object.fromEntries(counts))}`)
  }
  const repeated = entries.filter(([way]) => times.get(way)?.length === 0)
  const disturbances: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { figure, othersCores } = await measureQuietly(async () => {
      const figures: [string, number][] = []
      for (const [way, ask] of repeated) figures.push([way, await time(ask, repeats.get(way) ?? 1)])
      return figures
    })
    for (const [way, ms] of figure) times.get(way)?.push(ms)
    disturbances.push(othersCores ?? Number.NaN)
  }
  const of = (way: keyof Askers) => times.get(way) ?? []
  return {
    name: shape.name,
    found: counts.get('ours') ?? 0,
    countMs: median(of('ours')),
    countByHandMs: median(of('byHand')),
    countRatio: medianRatio(of('ours'), of('byHand')),
    selectMs: median(of('oursSelect')),
    selectByHandMs: median(of('byHandSelect')),
    selectRatio: medianRatio(of('oursSelect'), of('byHandSelect')),
    overHttpMs: median(of('overHttp')),
    parseMs: askers.parse ? median(of('parse')) : undefined,
    othersCores: median(disturbances),
  }
}

/** Asked once before, so that no way pays for pages that the one before it pushed out of memory. */
async function time(ask: Ask, repeats: number): Promise<number> {
  await ask()
  const startedAt = performance.now()
  for (let repeat = 0; repeat < repeats; repeat++) await ask()
  return (performance.now() - startedAt) / repeats
}
