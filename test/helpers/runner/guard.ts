import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, statfs } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests put away what they started. Where they cannot, because their process ended before (a failure at the top of the
 * file, Ctrl-C, a kill), a process of its own does it: it hears that its standard input was closed.
 */
let guard: Socket | undefined

function tell(line: string): void {
  if (!guard) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'guard-process.ts')], {
      stdio: ['pipe', 'ignore', 'inherit'],
      // Else Ctrl-C would end it too.
      detached: true,
    })
    child.unref()
    guard = child.stdin as Socket
    guard.unref()
  }
  guard.write(`${line}\n`)
}

/** It does not outlive this process. */
export function guardProcess(child: ChildProcess): void {
  if (child.pid === undefined) return
  tell(`+process ${child.pid}`)
  child.once('exit', () => tell(`-process ${child.pid}`))
}

/** A folder for the test to remove: it does not outlive this process, nor does a PostgreSQL that works in it. */
export async function makeGuardedFolder(prefix: string): Promise<string> {
  // Found once for a run, by whoever starts the workers: folders are moved, which works within one place only.
  process.env.PEYK_TEST_FOLDER ??= await findPlace()
  const folder = await mkdtemp(join(process.env.PEYK_TEST_FOLDER, prefix))
  tell(`+folder ${folder}`)
  return folder
}

const memory = '/dev/shm'
const roomInMemory = 8 * 1024 ** 3

/** In memory, if there is plenty: a database has a thousand files, which a disk may take ten times as long to make. */
async function findPlace(): Promise<string> {
  if (process.env.TMPDIR || freemem() < roomInMemory) return tmpdir()
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return room < roomInMemory ? tmpdir() : memory
}
