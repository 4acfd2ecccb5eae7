import { androidDevices, createFilledDatabase } from '../data/filled-database.ts'
import { printTable } from '../measure/table.ts'
import { giveCredentials, prepareSending } from '../subjects/sending-peyk.ts'
import { sendToAll } from './send-to-all.ts'
import type { Found, World } from './world.ts'

const manyTimes = 10

/** The most memory that a fresh process takes for one message to few, and for one to ten times as many. */
export async function measureMemory(world: World, simulatorUrl: string): Promise<Found> {
  const { cluster, simulator, installations } = world
  const found = []
  for (const count of [installations, installations * manyTimes]) {
    const database = await createFilledDatabase(cluster, `memory_${count}`, androidDevices(count))
    const sending = await prepareSending(database, simulatorUrl)
    const peyk = await sending.start()
    await giveCredentials(peyk, database, simulator)
    found.push({ count, ...(await sendToAll(peyk, database, cluster.pid, 'android')) })
    await peyk.stop()
  }
  const rows = found.map(({ count, perSecond, cpuMicros, databaseCpuMicros, rssMb }) => {
    return [count.toLocaleString('en-US'), perSecond, cpuMicros, databaseCpuMicros, rssMb]
  })
  const header = ['installations', 'delivery/s', 'CPU µs/delivery', 'PostgreSQL µs/delivery', 'peak RSS MB']
  printTable('One message from a fresh process, nghttpd', header, rows)
  const [less, more] = found
  return {
    goals: [
      {
        what: 'peak RSS ÷ with a tenth of the installations',
        value: (more?.rssMb ?? Number.NaN) / (less?.rssMb ?? Number.NaN),
        atMost: 1.2,
      },
    ],
    figures: { sends: found },
  }
}
