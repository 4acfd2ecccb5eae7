import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderInUseError, EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { bootstrapConnectionTo, openClient } from './postgres-connection.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { findCommandLine, findProcessIdentity, isZombie, waitUntilGone } from './running-process.ts'
import { tryServerLock } from './server-lock-session.ts'

const FAST_SHUTDOWN_LIMIT_MS = 10_000
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 20_000
const REAP_LIMIT_MS = 5000
// The session of a server that was killed ends a moment after it.
const LOCK_PATIENCE_MS = 2000

async function isOurPostgres(pid: number, pgdata: string): Promise<boolean> {
  if ((await findProcessIdentity(pid)) === undefined) return false
  const commandLine = `${await findCommandLine(pid)} `
  return commandLine.includes('postgres ') && commandLine.includes(` -D ${pgdata} `)
}

/** A server killed with -9 leaves its PostgreSQL running. Its postmaster.pid is never ours to remove. */
export async function stopLeftoverPostgres(pgdata: string, onStop: (pid: number) => void): Promise<void> {
  const pid = (await readPostmasterFile(pgdata))?.pid
  if (pid === undefined) return
  await waitUntilReaped(pid)
  if (!(await isOurPostgres(pid, pgdata))) return
  onStop(pid)
  process.kill(pid, 'SIGINT')
  if (await waitUntilGone(pid, FAST_SHUTDOWN_LIMIT_MS)) return
  process.kill(pid, 'SIGQUIT')
  if (await waitUntilGone(pid, IMMEDIATE_SHUTDOWN_LIMIT_MS)) return
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${pid}) of an earlier run does not stop: end it and start again.`,
  )
}

// PostgreSQL refuses to start as long as the pid of its predecessor is taken, even by a process that has ended.
async function waitUntilReaped(pid: number): Promise<void> {
  for (let waitedMs = 0; await isZombie(pid); waitedMs += 25) {
    if (waitedMs >= REAP_LIMIT_MS) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) of an earlier run has ended, but process 1 does not clear it away: restart the container, and run it with an init process (docker run --init).`,
      )
    }
    await sleep(25)
  }
}

/**
 * The lock file knows only processes that this one can see: those of another container on the same folder it takes
 * for dead. Their database answers all the same, and holds their session lock.
 */
export async function refuseWhenServed(dataFolder: string, pgdata: string, password: string): Promise<void> {
  const postmaster = await readPostmasterFile(pgdata)
  if (!postmaster?.socketFolder) return
  const client = await openClient(bootstrapConnectionTo(postmaster.socketFolder, password)).catch(() => undefined)
  if (!client) return
  try {
    for (let waitedMs = 0; !(await tryServerLock(client)); waitedMs += 50) {
      if (waitedMs >= LOCK_PATIENCE_MS) throw new DataFolderInUseError(dataFolder)
      await sleep(50)
    }
  } finally {
    await client.end().catch(() => undefined)
  }
  if (await isOurPostgres(postmaster.pid, pgdata)) return
  throw new EmbeddedPostgresError(
    `A PostgreSQL that this process cannot see, perhaps in another container, runs on ${pgdata}: stop it first.`,
  )
}
