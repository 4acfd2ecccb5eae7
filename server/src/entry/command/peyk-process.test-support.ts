import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { guardProcess, makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { onTestFinished, vi } from 'vitest'
import { runCommand } from './run-command.ts'

const peykCommand = join(import.meta.dirname, '../../../bin/peyk.js')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** The environment without the settings of whoever runs the tests. */
function cleanEnvironment(env: Record<string, string> = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PEYK_') && name !== 'NODE_OPTIONS')
  return { ...Object.fromEntries(inherited), ...env }
}

/** Starts the real command. It does not outlive its test. */
export function spawnPeyk(args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [peykCommand, ...args], { env: cleanEnvironment(env) })
  guardProcess(child)
  return child
}

/** Runs the real command to its end. */
export async function peyk(
  args: string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Ended> {
  const child = spawnPeyk(args, options.env)
  child.stdin?.end(options.stdin ?? '')
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr }
}

/** Runs a command in this process, which takes a tenth of the time. One at a time, and none that starts a database. */
export async function peykHere(
  args: string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const listen = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name] += chunk
      return true
    })
  const spies = [
    listen('stdout'),
    listen('stderr'),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(stdin)]) as typeof process.stdin),
  ]
  const usual = process.env
  process.env = cleanEnvironment(env)
  try {
    return { code: await runCommand(args), ...said }
  } finally {
    process.env = usual
    for (const spy of spies) spy.mockRestore()
  }
}

/** A data folder of this test's own. */
export async function makeTestFolder(prefix: string): Promise<string> {
  const folder = await makeGuardedFolder(prefix)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
