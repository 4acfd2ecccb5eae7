import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestProject } from 'vitest/node'
import { guardProcess } from '../runner/guard.ts'
import { until } from '../runner/until.ts'
import { freePort } from '../service/service-process.ts'
import { installByApt, mayUseApt } from './install-program.ts'
import { findProgram } from './programs.ts'

/** Why a test that needs it is skipped. */
export const noNats = 'nats-server is not installed; as root: apt-get install nats-server'

/** Before the tests that need Debian's server: it is there, or it is installed where that is possible. */
export function setup(project: TestProject): void {
  const files = project.vitest.state.getPaths()
  if (files.some((file) => /programs\/nats\.ts/.test(readFileSync(file, 'utf8')))) installNats()
}

export function installNats(): void {
  if (findProgram('nats-server') !== undefined || !mayUseApt()) return
  console.log('nats-server is not installed; installing it by apt-get …')
  try {
    installByApt(['nats-server'], { service: 'nats-server' })
  } catch (error) {
    console.error(`nats-server could not be installed: ${(error as Error).message.split('\n', 1)[0]}`)
  }
}

export const hasNats = () => findProgram('nats-server') !== undefined

/** A server of NATS on a port of its own, to be killed and started again there. */
export class NatsServer {
  readonly port: number
  private readonly options: readonly string[]
  private child: ChildProcess | undefined

  private constructor(port: number, options: readonly string[]) {
    this.port = port
    this.options = options
  }

  /** Started, and ended with the test. */
  static async start(options: readonly string[] = []): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), options)
    onTestFinished(() => server.end('SIGKILL'))
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const program = findProgram('nats-server') as string
    const words = ['--addr', '127.0.0.1', '--port', String(this.port), ...this.options]
    this.child = spawn(program, words, { stdio: 'ignore' })
    guardProcess(this.child)
    await until(() => answers(this.port), Boolean)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal)
  }
}

/** It says who it is to everybody who connects. */
function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  return answer.finally(() => socket.destroy())
}
