import { readSocketMemory } from '../../measure/socket-memory.ts'
import { createPeykDatabase } from '../../subjects/peyk.ts'
import { fillClients, names } from '../contenders.ts'
import type { Found, World } from '../world.ts'
import { findCapacity } from './capacity.ts'
import { hold } from './hold.ts'
import { Holders } from './holders.ts'

/** Very many connections that are only held: what each weighs, here and in the kernel, and what they cost at rest. */
export async function measureIdle({ options, cluster }: World): Promise<Found> {
  const { connections, processes } = findCapacity(options.idle)
  const database = await createPeykDatabase(await cluster.createDatabase('idle'))
  const holders = await Holders.start(database, await fillClients(database, connections), processes)
  const socketsBeforeKb = readSocketMemory()
  const startedAt = performance.now()
  const { connected, refused, why } = await holders.connect()
  const connectSeconds = (performance.now() - startedAt) / 1000
  const count = connected.toLocaleString('en-US')
  console.log(`  ${count} were let in within ${Math.round(connectSeconds)} s`)
  if (refused > 0) console.log(`  ${refused.toLocaleString('en-US')} were not: ${why.join(', ')}`)
  await holders.waitUntilStill()
  const socketKb = (readSocketMemory() - socketsBeforeKb) / connected
  const held = await hold(holders, cluster.pid, options.holdSeconds)
  const answered = await holders.call()
  const closings = await holders.listClosings()
  await holders.stop()

  const { restingMb } = holders
  const kbEach = (mb: number) => ((mb - restingMb) * 1024) / connected
  const lost = Math.max(held.lost, connected - answered)
  if (lost > 0)
    console.log(`  ${lost.toLocaleString('en-US')} were lost; the service closed: ${JSON.stringify(closings)}`)
  return {
    title: `${count} idle connections for ${Math.round(held.seconds)} s, held by ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    header: ['', 'KB each', 'at the end', 'kernel KB, both ends', 'lost', 'CPU ms/s', 'PostgreSQL ms/s', 'let in/s'],
    rows: [
      [
        names.ours,
        kbEach(held.beginMb),
        kbEach(held.endMb),
        socketKb,
        lost,
        held.cpuMs,
        held.databaseCpuMs,
        connected / connectSeconds,
      ],
    ],
    goals: [
      {
        what: `memory of each of ${count} idle connections, KB`,
        value: kbEach(Math.max(held.beginMb, held.endMb)),
        atMost: 15,
      },
      { what: `idle connections lost, of ${count}`, value: lost, atMost: 0 },
    ],
    figures: {
      asked: options.idle,
      processes,
      connected,
      refused,
      why,
      connectSeconds,
      restingMb,
      socketKb,
      answered,
      closings,
      ...held,
    },
  }
}
