import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import { findFreePort } from '../measure/process.ts'
import { stopLater } from '../measure/started.ts'
import type { RunningSimulator } from './simulator.ts'

const places = ['/usr/sbin/nghttpd', '/usr/bin/nghttpd', '/usr/local/bin/nghttpd', '/opt/homebrew/bin/nghttpd']
const packageName = 'nghttp2-server'
const patienceMs = 10_000
/** As FCM has it. */
const streamsPerConnection = 100

/**
 * An HTTP/2 server in C that takes every push and answers with the name of a message: it costs little beside what is
 * measured. Answers its origin, undefined where it cannot be had.
 */
export async function startNghttpd({ tls }: RunningSimulator, sendPath: string): Promise<string | undefined> {
  const command = findCommand() ?? install()
  if (command === undefined) return undefined
  const folder = await makeTemporaryFolder()
  const answer = join(folder, 'documents', sendPath)
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  await mkdir(dirname(answer), { recursive: true })
  await writeFile(answer, '{"name":"projects/bench/messages/0:1700000000000000%bench"}')
  await writeFile(files.key, tls.key)
  await writeFile(files.certificate, tls.certificate)
  const port = await findFreePort()
  const limits = ['-a', '127.0.0.1', '-m', String(streamsPerConnection), '-n', '1']
  const args = [...limits, '-d', join(folder, 'documents'), String(port), files.key, files.certificate]
  const child = spawn(command, args, { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  stopLater(async () => {
    child.kill()
    await exited
  })
  const startedAt = performance.now()
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > patienceMs)
      throw new Error(`${command} did not start.`)
    await sleep(25)
  }
  return `https://localhost:${port}`
}

function findCommand(): string | undefined {
  return places.find((place) => existsSync(place))
}

function install(): string | undefined {
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    console.log(`Installing nghttpd (${packageName}) …`)
    try {
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', packageName], { stdio: 'ignore' })
    } catch {
      // Said below.
    }
  }
  const command = findCommand()
  if (command === undefined)
    console.log(`nghttpd is not installed (Debian: apt-get install ${packageName}): what needs it is left out.`)
  return command
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
