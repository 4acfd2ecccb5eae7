import { fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import { stopLater } from '../measure/started.ts'
import type { LoadOrder, LoadReport, LoadSettings } from './personal-load.ts'
import type { RunningSimulator } from './simulator.ts'

export interface PersonalLoad {
  /** Of the FCM that it is. */
  origin: string
  run(order: LoadOrder): Promise<LoadReport>
}

export async function startPersonalLoad({ tls }: RunningSimulator, bodies: object[]): Promise<PersonalLoad> {
  const file = join(await makeTemporaryFolder(), 'bodies')
  await writeFile(file, bodies.map((body) => JSON.stringify(body)).join('\n'))
  const settings: LoadSettings = { tls, bodies: file }
  // One thread for its garbage: with V8's usual four it would take the time that it measures.
  const options = { execArgv: [...process.execArgv, '--v8-pool-size=1'] }
  const child = fork(join(import.meta.dirname, 'personal-load.ts'), [JSON.stringify(settings)], options)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  stopLater(async () => {
    child.kill()
    await exited
  })
  const hear = <Told>() =>
    new Promise<Told>((resolve, reject) => {
      child.once('message', (told) => resolve(told as Told))
      child.once('exit', (code) => reject(new Error(`The load for personal messages ended with ${code}.`)))
    })
  const { port } = await hear<{ port: number }>()
  return {
    origin: `https://localhost:${port}`,
    run(order) {
      const report = hear<LoadReport>()
      child.send(order)
      return report
    },
  }
}
