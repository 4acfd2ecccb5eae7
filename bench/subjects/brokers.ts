import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import { findFreePort } from '../measure/process.ts'
import { stopLater } from '../measure/started.ts'

export interface Broker {
  pid: number
  port: number
  stop(): Promise<void>
}

const patienceMs = 10_000
const places = [
  '/usr/sbin/mosquitto',
  '/usr/bin/mosquitto',
  '/usr/local/sbin/mosquitto',
  '/opt/homebrew/sbin/mosquitto',
]

export async function startAedes(): Promise<Broker> {
  const port = await findFreePort()
  return startBroker(process.execPath, [join(import.meta.dirname, 'aedes-broker.ts'), String(port)], port)
}

/** Nothing is kept on disk, as with aedes. */
export async function startMosquitto(): Promise<Broker> {
  const port = await findFreePort()
  const file = join(await makeTemporaryFolder(), 'mosquitto.conf')
  const settings = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'persistence false', 'log_type error']
  await writeFile(file, `${settings.join('\n')}\n`)
  return startBroker(findMosquitto() as string, ['-c', file], port)
}

export function hasMosquitto(): boolean {
  if (findMosquitto() === undefined && process.platform === 'linux' && process.getuid?.() === 0) {
    console.log('Installing mosquitto …')
    try {
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'mosquitto'], { stdio: 'ignore' })
    } catch {
      // Said below.
    }
  }
  const isThere = findMosquitto() !== undefined
  if (!isThere) console.log('mosquitto is not installed (Debian: apt-get install mosquitto): it is left out.')
  return isThere
}

function findMosquitto(): string | undefined {
  return places.find((place) => existsSync(place))
}

async function startBroker(command: string, args: string[], port: number): Promise<Broker> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill()
    await exited
  }
  stopLater(stop)
  const startedAt = performance.now()
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > patienceMs)
      throw new Error(`${command} did not start.`)
    await sleep(25)
  }
  return { pid: child.pid as number, port, stop }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
