import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@peyk/test/runner/until.ts'
import { onTestFinished } from 'vitest'
import { spawnPeyk } from '../peyk-process.test-support.ts'

const quickStop = { PEYK_TEST_DURATIONS: '{"drainMs":1}' }

/** `peyk start` on a free port, told to log; what it prints is collected. */
export class Service {
  readonly child: ChildProcess
  private readonly closed: Promise<unknown>
  output = ''

  constructor(env: Record<string, string>) {
    const ports = { PEYK_PORT: '0', PEYK_MQTT_PORT: '0', PEYK_HOST: '127.0.0.1' }
    this.child = spawnPeyk(['start'], { ...ports, PEYK_CROWD_SIZE: '0', PEYK_PROCESSES: '1', ...quickStop, ...env })
    this.closed = once(this.child, 'close')
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (chunk) => (this.output += chunk))
    onTestFinished(async () => {
      if (this.hasEnded()) return
      this.child.kill('SIGTERM')
      await this.ended()
    })
  }

  hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Also what it said last is there then. */
  async ended(): Promise<number | null> {
    await this.closed
    return this.child.exitCode
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal)
    return this.ended()
  }

  async says(text: string | RegExp): Promise<void> {
    await until(
      () => this.output,
      (output) => (typeof text === 'string' ? output.includes(text) : text.test(output)),
    )
  }

  async baseUrl(): Promise<string> {
    await this.says(/"baseUrl":"http/)
    return /"baseUrl":"([^"]+)"/.exec(this.output)?.[1] as string
  }
}

export const readDemo = async (folder: string) => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
