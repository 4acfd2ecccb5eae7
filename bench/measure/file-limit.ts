import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface FileLimit {
  /** How many files this process, and what it starts from now on, may have open. */
  files: number
  /** Why it is not as many as were asked for. */
  missing?: string
}

/** Raises the limit for this process and what it starts. Beyond what is allowed already only root can do that. */
export function raiseFileLimit(wanted: number): FileLimit {
  if (readFileLimit() >= wanted) return { files: wanted }
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${wanted}:${wanted}`], { stdio: 'pipe' })
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    return { files: readFileLimit(), missing: stderr?.toString().trim() || message }
  }
  return { files: wanted }
}

function readFileLimit(): number {
  const [, files] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return files === undefined ? Number.POSITIVE_INFINITY : Number(files)
}
