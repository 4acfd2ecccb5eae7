import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopLater } from './started.ts'

export interface RunningProcess {
  pid: number
  url: string
  /** How long it took from its start to the first good answer. */
  readyMs: number
  stop(): Promise<void>
}

export interface ProcessOptions {
  name: string
  args: string[]
  env: Record<string, string>
  port: number
  /** A path that answers 200 when the process is ready. */
  readyPath: string
  pollMs?: number
}

const patienceMs = 60_000
const stopPatienceMs = 15_000

/** Starts a Node process of its own and waits until it answers. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, options.args, {
    // Nothing stands in front of what is measured: a stop need not wait for proxies.
    env: { ...process.env, PEYK_TEST_DURATIONS: '{"drainMs":1}', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    const impatience = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs)
    await exited
    clearTimeout(impatience)
  }
  stopLater(stop)
  const url = `http://127.0.0.1:${options.port}`
  while (!(await answers(url + options.readyPath))) {
    if (child.exitCode !== null) throw new Error(`${options.name} did not start:\n${output}`)
    if (performance.now() - startedAt > patienceMs) throw new Error(`${options.name} did not start in time:\n${output}`)
    await sleep(options.pollMs ?? 25)
  }
  return { pid: child.pid as number, url, readyMs: performance.now() - startedAt, stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { connection: 'close' } })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
