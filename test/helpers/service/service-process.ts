import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type EventEmitter, once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { stopLeftoverPostgres } from '@peyk/server/base/store/embedded/leftover-postgres.ts'
import { guardProcess } from '../runner/guard.ts'

const ownRoot = join(import.meta.dirname, '../../..')

export interface DemoFile {
  appId: string
  accessToken: string
  clientKey: string
  baseUrl: string
  panelUrl: string
  panelEmail: string
  panelPassword: string
  simulatorUrl: string
}

/** The real service in a process of its own, to be stopped, killed and started again on the same data folder. */
export class ServiceProcess {
  readonly dataFolder: string
  readonly port: number
  private readonly command: string
  /** Who talks to the simulator of a service in development finds it there again after each start. */
  private simulatorPort: number | undefined
  private child: ChildProcess | undefined
  output = ''
  /** Hears of every line that it writes. */
  onLine: (line: string) => void = () => undefined

  /** `root` is where the code is, of this version unless given. */
  constructor(dataFolder: string, port: number, root = ownRoot) {
    this.dataFolder = dataFolder
    this.port = port
    this.command = join(root, 'server/bin/peyk.js')
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    this.simulatorPort ??= await freePort()
    const child = spawn(process.execPath, [this.command, 'start'], {
      env: {
        ...process.env,
        PEYK_DATA: this.dataFolder,
        PEYK_PORT: String(this.port),
        PEYK_MQTT_PORT: '0',
        PEYK_SIMULATOR_PORT: String(this.simulatorPort),
        PEYK_HOST: '127.0.0.1',
        PEYK_LOG_LEVEL: 'warn',
        // Most tests kill, stop and measure one process.
        PEYK_PROCESSES: '1',
        // Tests count what they do themselves.
        PEYK_CROWD_SIZE: '0',
        // There is no proxy to wait for.
        PEYK_TEST_DURATIONS: '{"drainMs":1}',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    guardProcess(child)
    for (const stream of [child.stdout, child.stderr]) {
      let rest = ''
      stream.setEncoding('utf8').on('data', (chunk) => {
        this.output = (this.output + chunk).slice(-20_000)
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.onLine(line)
      })
    }
    while (child.exitCode === null && child.signalCode === null) {
      if (await this.isReady()) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}:\n${this.output}`)
  }

  private isReady(): Promise<boolean> {
    return fetch(`${this.baseUrl}/ready`).then(
      (response) => response.ok,
      () => false,
    )
  }

  /** Undefined when it has ended. */
  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal)
  }

  /** Ends it with the signal and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }

  /** With kill -9, and waits until the service has started it again and is ready. */
  async killPostgres(): Promise<void> {
    const killed = (await this.findPostgres()) as number
    process.kill(killed, 'SIGKILL')
    while ([undefined, killed].includes(await this.findPostgres()) || !(await this.isReady()))
      await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async findPostgres(): Promise<number | undefined> {
    const text = await readFile(join(this.dataFolder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    return Number.parseInt(text, 10) || undefined
  }

  /** Ends it, also a PostgreSQL that it left behind when it was killed, and removes its folder. */
  async remove(): Promise<void> {
    await this.end('SIGTERM')
    await stopLeftoverPostgres(join(this.dataFolder, 'postgres'), () => undefined)
    await rm(this.dataFolder, { recursive: true, force: true, maxRetries: 5 })
  }

  async readDemo(): Promise<DemoFile> {
    return JSON.parse(await readFile(join(this.dataFolder, 'demo.json'), 'utf8'))
  }
}

/**
 * Of those that no system gives out by itself: else somebody else might get it before, or between two starts. As long as
 * this process lives it holds the UDP port of the same number, which the service does not need: so other tests on this
 * machine, which do the same, do not choose it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const held = createSocket({ type: 'udp4' }).unref()
    held.bind({ port, address: '127.0.0.1', exclusive: true })
    if ((await isListening(held)) && (await isUnused(port))) return port
    held.close()
  }
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  if (!(await isListening(server))) return false
  server.close()
  await once(server, 'close')
  return true
}

const isListening = (socket: EventEmitter) =>
  once(socket, 'listening').then(
    () => true,
    () => false,
  )
