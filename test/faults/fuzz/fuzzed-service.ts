import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { guardProcess } from '../../helpers/runner/guard.ts'
import { until } from '../../helpers/runner/until.ts'
import type { ServiceProcess } from '../../helpers/service/service-process.ts'
import type { Probed } from './health-prober.ts'
import { emptyTally, type Share, type Tally } from './run-kind.ts'

const collections = 3

const fileOf = (name: string) => join(import.meta.dirname, name)

/** Runs a share in a process of its own. The tally is kept up to date meanwhile. */
export function startShare(share: Share): { tally(): Tally; ended: Promise<void> } {
  const child = fork(fileOf('fuzz-process.ts'), { execArgv: [] })
  guardProcess(child)
  onTestFinished(() => void child.kill())
  let tally = emptyTally()
  let isOver = false
  child.on('message', (told: { tally: Tally; isOver: boolean }) => {
    tally = told.tally
    isOver = told.isOver
  })
  child.send(share)
  const ended = once(child, 'exit').then(() => {
    if (!isOver) throw new Error(`the process that sends requests of the kind "${share.kind}" ended before its time`)
  })
  return { tally: () => tally, ended }
}

export function startProber(baseUrl: string): { stop(): Promise<Probed> } {
  const child = fork(fileOf('health-prober.ts'), [baseUrl], { execArgv: [] })
  guardProcess(child)
  onTestFinished(() => void child.kill())
  return {
    stop: async () => {
      const told = once(child, 'message')
      child.send('stop')
      return (await told)[0] as Probed
    },
  }
}

/**
 * Makes V8 collect its garbage now, by its inspector, which SIGUSR1 opens. V8 leaves garbage where it is for long, above
 * all where there is much memory: what a process takes under load says nothing of what it keeps.
 */
export async function collectGarbage(service: ServiceProcess): Promise<void> {
  process.kill(service.pid as number, 'SIGUSR1')
  const address = await until(
    () => /Debugger listening on (ws:\S+)/.exec(service.output)?.[1],
    (found) => found !== undefined,
  )
  const inspector = new WebSocket(address as string)
  await once(inspector, 'open')
  for (let id = 0; id < collections; id++) {
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(inspector, 'message')
    // Buffers are given back by another thread, and what they belonged to is found by the next collection.
    await delay(1_000)
  }
  inspector.close()
}

/** For `collectGarbage`: on any free port, and not before it is asked for. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

export async function readRssMib(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}
