import { setTimeout as sleep } from 'node:timers/promises'
import { timePostgresStart } from './measure/bare-postgres.ts'
import { makeTemporaryFolder } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { findFreePort, type RunningProcess, startProcess } from './measure/process.ts'
import { keepResult } from './measure/result.ts'
import { median, runRounds } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'
import { readNodeMemory } from './measure/usage.ts'
import { peykCommand } from './subjects/peyk.ts'

const names = { ours: 'Peyk', limit: 'PostgreSQL alone (limit)' }
const idleSeconds = 10

/** From the command to the first 200 of /ready on a data folder that has been used, against PostgreSQL's own start. */
export async function benchStart(options: BenchOptions): Promise<void> {
  const dataFolder = await makeTemporaryFolder()
  const first = await startOn(dataFolder)
  await first.stop()
  const idleMb: number[] = []
  const subjects = [
    {
      name: names.ours,
      measure: async () => {
        const peyk = await startOn(dataFolder)
        await sleep(idleSeconds * 1000)
        idleMb.push(readNodeMemory(peyk.pid) ?? Number.NaN)
        await peyk.stop()
        return peyk.readyMs
      },
    },
    { name: names.limit, measure: () => timePostgresStart(dataFolder) },
  ]
  const { measured, othersCores } = await runRounds(options.rounds, subjects, (ms) => `${Math.round(ms)} ms`)
  const [ours = [], alone = []] = measured.values()
  printTable(
    'Start to first answer, warm data folder',
    ['', 'ms', `RSS MB after ${idleSeconds} s`],
    [
      [names.ours, median(ours), median(idleMb)],
      [names.limit, median(alone), undefined],
      [`${names.ours}, first start (empty data folder)`, first.readyMs, undefined],
    ],
  )
  const goals = [
    { what: 'warm start, seconds', value: median(ours) / 1000, atMost: 3 },
    { what: 'memory of the Node process when idle, MB', value: median(idleMb), atMost: 200 },
  ]
  await keepResult('start', options, goals, {
    rounds: options.rounds,
    othersCores,
    warmStartMs: median(ours),
    warmStartMsOfRounds: ours,
    postgresStartMs: median(alone),
    firstStartMs: first.readyMs,
    idleMb: median(idleMb),
  })
}

async function startOn(dataFolder: string): Promise<RunningProcess> {
  const port = await findFreePort()
  return startProcess({
    name: 'Peyk',
    args: [peykCommand, 'start'],
    port,
    readyPath: '/ready',
    pollMs: 5,
    env: {
      PEYK_MODE: 'production',
      PEYK_PROCESSES: '1',
      PEYK_HOST: '127.0.0.1',
      PEYK_PORT: String(port),
      PEYK_MQTT_PORT: '0',
      PEYK_DATA: dataFolder,
    },
  })
}
