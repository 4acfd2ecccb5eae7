import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { guardProcess } from '@peyk/test/runner/guard.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { until } from '@peyk/test/runner/until.ts'
import { copyPreparedFolder } from '@peyk/test/service/prepared-folder.ts'
import { it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** `npm start`, and the service and the PostgreSQL that it started. */
async function npmStart() {
  const folder = await copyPreparedFolder('peyk-npm-start-')
  const env = {
    PEYK_DATA: folder,
    PEYK_PORT: '0',
    PEYK_MQTT_PORT: '0',
    PEYK_HOST: '127.0.0.1',
    PEYK_MODE: 'production',
    PEYK_TEST_DURATIONS: '{"drainMs":1}',
  }
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  guardProcess(npm)
  let output = ''
  npm.stdout.on('data', (chunk) => (output += chunk))
  await until(
    () => output,
    (text) => text.includes('"baseUrl":"http'),
  )
  const postgres = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const service = Number((await promisify(execFile)('ps', ['-o', 'ppid=', '-p', `${postgres}`])).stdout)
  onTestFinished(async () => {
    for (const pid of [service, postgres]) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return { npm, service, postgres }
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
  'npm start that is ended by %s leaves no service and no PostgreSQL behind',
  async (signal) => {
    const { npm, service, postgres } = await npmStart()
    const ended = once(npm, 'exit')
    npm.kill(signal)
    await ended
    await poll(() => [isRunning(service), isRunning(postgres)]).toEqual([false, false])
  },
)
