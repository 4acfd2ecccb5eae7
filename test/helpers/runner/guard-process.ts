import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** See guard.ts, which starts it. */
const left = new Set<string>()
for await (const line of createInterface(process.stdin)) {
  if (line.startsWith('+')) left.add(line.slice(1))
  else left.delete(line.slice(1))
}
const namesOf = (kind: string) =>
  [...left].filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length + 1))
for (const pid of namesOf('process')) kill(Number(pid))
for (const folder of namesOf('folder')) {
  if (!existsSync(folder)) continue
  for (const pid of findProcessesIn(folder)) kill(pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function findProcessesIn(folder: string): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(folder)).map((line) => Number.parseInt(line, 10))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
