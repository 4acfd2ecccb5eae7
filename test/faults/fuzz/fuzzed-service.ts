import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { guardProcess } from '../../helpers/guard.ts'
import type { Probed } from './health-prober.ts'
import { emptyTally, type Share, type Tally } from './run-kind.ts'

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

export async function readRssMib(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / 1024
}
