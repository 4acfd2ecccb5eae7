import { createProfiler } from '../measure/profile.ts'
import { median, runRounds } from '../measure/rounds.ts'
import { message, names } from './contenders.ts'
import { type CrowdReports, startCrowd } from './crowd.ts'
import type { Found, World } from './world.ts'

const perSecond = 20
const warmUpSeconds = 5

type Figure = CrowdReports['send-personal']

/** Single `toUsers` to users who are connected, from the request to the message in the client's hands. */
export async function measureLatency({ options, contestants, database, logins }: World): Promise<Found> {
  const profiler = options.profile ? await createProfiler() : undefined
  const ours = contestants.find(({ name }) => name === names.ours)
  if (!ours) throw new Error('There is nothing to measure.')
  const { gathering, url, stop } = await ours.start(profiler?.env)
  const crowd = await startCrowd()
  await crowd.tell({ do: 'gather', gathering })
  const path = `/api/push/toUsers?access_token=${database.token}`
  const users = logins.map(({ clientId }) => clientId.split('/')[1] as string)
  const order = { do: 'send-personal', url: url as string, path, users, body: message, perSecond } as const
  await crowd.tell({ ...order, seconds: warmUpSeconds })
  const subjects = [{ name: names.ours, measure: () => crowd.tell({ ...order, seconds: options.seconds }) }]
  const { measured, othersCores } = await runRounds(options.rounds, subjects, showFigure)
  await crowd.end()
  await stop()
  await profiler?.print()

  const figures = measured.get(names.ours) ?? []
  const middle = (pick: (figure: Figure) => number) => median(figures.map(pick))
  return {
    title: `toUsers at ${perSecond}/s to a connected client`,
    header: ['', '200 p50 ms', 'p99', 'client p50 ms', 'p99', 'longest'],
    rows: [
      [
        names.ours,
        middle(({ answer }) => answer.p50Ms),
        middle(({ answer }) => answer.p99Ms),
        middle(({ arrival }) => arrival.p50Ms),
        middle(({ arrival }) => arrival.p99Ms),
        middle(({ arrival }) => arrival.maxMs),
      ],
    ],
    goals: [{ what: 'toUsers to the client, p50 ms', value: middle(({ arrival }) => arrival.p50Ms), atMost: 15 }],
    figures: { rounds: figures, othersCores: othersCores[names.ours], perSecond },
  }
}

function showFigure({ answer, arrival }: Figure): string {
  const client = `p50 ${arrival.p50Ms.toFixed(1)} ms, p99 ${arrival.p99Ms.toFixed(1)} ms`
  return `${client} to the client; 200 after p50 ${answer.p50Ms.toFixed(1)} ms`
}
