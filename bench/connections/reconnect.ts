import { setTimeout as sleep } from 'node:timers/promises'
import { median, medianRatio, runRounds } from '../measure/rounds.ts'
import { type Contender, names, startDivided } from './contenders.ts'
import { startCrowd } from './crowd.ts'
import { startSteadyLoad } from './steady.ts'
import { type Found, listThoseToMeasure, type World } from './world.ts'

const perSecond = 200
const warmUpMs = 2_000

interface Figure {
  /** From the cut until the last is back. */
  backMs: number
  calmP50Ms: number
  calmP99Ms: number
  stormP50Ms: number
  stormP99Ms: number
}

/**
 * All clients come back at the same moment, while the API has its usual load of events. For comparison the same clients
 * come back to the others, while our API has the same load: then only the machine is shared.
 */
export async function measureReconnect(world: World): Promise<Found> {
  const { options, logins } = world
  const contenders = new Map<string, Contender>()
  for (const { name, start } of listThoseToMeasure(world, names.ours, names.mosquitto))
    contenders.set(name, await start())
  contenders.set(names.divided, await startDivided(world.database, logins))
  const ours = contenders.get(names.ours) as Contender
  const subjects = [...contenders].map(([name, contender]) => ({
    name,
    measure: () => measureOne(world, contender.url ?? (ours.url as string), contender),
  }))
  for (const { measure } of subjects) await measure()
  const { measured, othersCores } = await runRounds(options.rounds, subjects, showFigure)
  for (const contender of contenders.values()) await contender.stop()

  const ratios = (figures: Figure[]) => figures.map(({ calmP99Ms, stormP99Ms }) => stormP99Ms / calmP99Ms)
  const middle = (figures: Figure[], pick: (figure: Figure) => number) => median(figures.map(pick))
  const stormP99 = (name: string) => (measured.get(name) ?? []).map(({ stormP99Ms }) => stormP99Ms)
  return {
    title: `${logins.length.toLocaleString('en-US')} clients come back at once, while \`track\` runs at ${perSecond}/s`,
    header: ['clients of', 'all back, ms', 'API p50 before', 'p99 before', 'p50 during', 'p99 during', 'p99 ÷ before'],
    rows: [...measured].map(([name, figures]) => [
      name,
      middle(figures, ({ backMs }) => backMs),
      middle(figures, ({ calmP50Ms }) => calmP50Ms),
      middle(figures, ({ calmP99Ms }) => calmP99Ms),
      middle(figures, ({ stormP50Ms }) => stormP50Ms),
      middle(figures, ({ stormP99Ms }) => stormP99Ms),
      median(ratios(figures)),
    ]),
    goals: [
      {
        what: 'API p99 while all come back ÷ while they come back to mosquitto',
        value: medianRatio(stormP99(names.ours), stormP99(names.mosquitto)),
        atMost: 1.2,
      },
      {
        what: 'the same with the connections in a process of their own',
        value: medianRatio(stormP99(names.divided), stormP99(names.mosquitto)),
        atMost: 1.2,
      },
    ],
    figures: { rounds: Object.fromEntries(measured), othersCores, perSecond },
  }
}

async function measureOne({ options, database, logins }: World, url: string, contender: Contender): Promise<Figure> {
  const crowd = await startCrowd()
  await crowd.tell({ do: 'gather', gathering: contender.gathering })
  const bodies = logins.map(({ clientId }, index) =>
    JSON.stringify({
      userId: clientId.split('/')[1],
      eventName: 'view_product',
      eventData: { productId: `p-${index}` },
    }),
  )
  const path = `/api/installations/track?access_token=${database.token}`
  const load = await startSteadyLoad({ url, path, bodies, perSecond })
  await sleep(warmUpMs)
  await load.look()
  await sleep(options.seconds * 1000)
  const calm = await load.look()
  const { ms } = await crowd.tell({ do: 'come-again' })
  const storm = await load.stop()
  await crowd.end()
  return {
    backMs: ms,
    calmP50Ms: calm.p50Ms,
    calmP99Ms: calm.p99Ms,
    stormP50Ms: storm.p50Ms,
    stormP99Ms: storm.p99Ms,
  }
}

function showFigure({ backMs, calmP99Ms, stormP50Ms, stormP99Ms }: Figure): string {
  const storm = `p50 ${stormP50Ms.toFixed(1)}, p99 ${stormP99Ms.toFixed(1)} ms`
  return `all back in ${Math.round(backMs)} ms; API ${storm} meanwhile, p99 ${calmP99Ms.toFixed(1)} ms before`
}
