import { setTimeout as sleep } from 'node:timers/promises'
import { median, runRounds } from '../measure/rounds.ts'
import { readUsage } from '../measure/usage.ts'
import { type Contender, type Contestant, names } from './contenders.ts'
import { type Crowd, startCrowd } from './crowd.ts'
import type { Found, World } from './world.ts'

const warmUpClients = 200
const pollMs = 500
/** Memory counts when it has hardly moved for so long. */
const stillPolls = 6
const stillMb = 1
const mostPolls = 60
const mostRounds = 3

interface Figure {
  kbEach: number
  restingMb: number
  fullMb: number
}

/** What one idle connection adds to the memory of the process that holds it. A new process each time. */
export async function measureMemory({ options, contestants, logins }: World): Promise<Found> {
  const rounds = Math.min(options.rounds, mostRounds)
  const subjects = contestants.map((contestant) => ({
    name: contestant.name,
    measure: () => measureOne(contestant, logins.length),
  }))
  const { measured, othersCores } = await runRounds(rounds, subjects, showFigure)
  const kbOf = (name: string) => median((measured.get(name) ?? []).map(({ kbEach }) => kbEach))
  return {
    title: `Memory of ${logins.length.toLocaleString('en-US')} idle connections`,
    header: ['', 'KB each', 'before MB', 'with them MB'],
    rows: [...measured].map(([name, figures]) => [
      name,
      kbOf(name),
      median(figures.map(({ restingMb }) => restingMb)),
      median(figures.map(({ fullMb }) => fullMb)),
    ]),
    goals: [{ what: 'memory of an idle connection, KB', value: kbOf(names.ours), atMost: 20 }],
    figures: { rounds: Object.fromEntries(measured), othersCores },
  }
}

async function measureOne(contestant: Contestant, count: number): Promise<Figure> {
  const crowd = await startCrowd()
  const contender = await contestant.start()
  const { gathering } = contender
  const restingMb = await readRestingMemory(crowd, contender)
  await crowd.tell({ do: 'gather', gathering })
  const fullMb = await readStillMemory(contender.pid)
  await crowd.end()
  await contender.stop()
  return { restingMb, fullMb, kbEach: ((fullMb - restingMb) * 1024) / count }
}

/** When some have come and left: code is compiled, and the connections of the database are there. */
export async function readRestingMemory(crowd: Crowd, { pid, gathering }: Contender): Promise<number> {
  await crowd.tell({ do: 'gather', gathering: { ...gathering, logins: gathering.logins.slice(0, warmUpClients) } })
  await crowd.tell({ do: 'leave' })
  return readStillMemory(pid)
}

export async function readStillMemory(pid: number): Promise<number> {
  const seen: number[] = []
  while (seen.length < mostPolls) {
    await sleep(pollMs)
    seen.push(readUsage(pid)?.rssMb ?? Number.NaN)
    const last = seen.slice(-stillPolls)
    if (last.length === stillPolls && Math.max(...last) - Math.min(...last) < stillMb) break
  }
  return seen.at(-1) ?? Number.NaN
}

function showFigure({ kbEach, restingMb, fullMb }: Figure): string {
  return `${kbEach.toFixed(1)} KB each (${restingMb.toFixed(0)} → ${fullMb.toFixed(0)} MB)`
}
