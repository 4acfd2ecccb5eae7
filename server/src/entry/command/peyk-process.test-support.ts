import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const peykCommand = join(import.meta.dirname, '../../../bin/peyk.js')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** The environment without the settings of whoever runs the tests. */
export function cleanEnvironment(env: Record<string, string> = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PEYK_') && name !== 'NODE_OPTIONS')
  return { ...Object.fromEntries(inherited), ...env }
}

/** Runs the real command to its end. */
export async function peyk(
  args: string[],
  options: { env?: Record<string, string>; stdin?: string; node?: string } = {},
): Promise<Ended> {
  const child = spawn(options.node ?? process.execPath, [peykCommand, ...args], { env: cleanEnvironment(options.env) })
  child.stdin.end(options.stdin ?? '')
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr }
}
