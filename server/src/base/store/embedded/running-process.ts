import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

async function ps(pid: number, columns: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('/bin/ps', ['-ww', '-o', columns, '-p', String(pid)], {
      env: { LC_ALL: 'C', TZ: 'UTC' },
    })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}

/** Tells a process from a later one with the same pid; undefined when none runs (a zombie does not). */
export async function findProcessIdentity(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const line = await ps(pid, 'state=,lstart=')
    return line === undefined || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    // Start ticks count from boot: without the boot's id they may repeat.
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    return `${rest[18]} ${bootId.trim()}`.trim()
  } catch {
    return undefined
  }
}

export async function findCommandLine(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return ps(pid, 'command=')
  return (await readCommandLine(pid)).join(' ').trim() || undefined
}

/** Linux only: elsewhere, a path with spaces looks like two arguments. */
export async function findArguments(pid: number): Promise<string[]> {
  return (await readCommandLine(pid)).slice(1)
}

async function readCommandLine(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0')
}

/** Ended, but its parent has not taken notice yet; its pid is still in use. */
export async function isZombie(pid: number): Promise<boolean> {
  if ((await findProcessIdentity(pid)) !== undefined) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** False when it still runs after the time given. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const identity = await findProcessIdentity(pid)
  for (let waitedMs = 0; identity !== undefined && (await findProcessIdentity(pid)) === identity; waitedMs += 25) {
    if (waitedMs >= timeoutMs) return false
    await sleep(25)
  }
  return true
}
