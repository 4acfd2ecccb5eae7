import { type ChildProcess, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, executable, type PostgresBinaries } from './binaries.ts'
import { EmbeddedPostgresError, hasCode, oneLine } from './embedded-postgres-error.ts'
import { readLogTail } from './postgres-log.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { type Connections, prepareRole } from './prepare-role.ts'
import { asUser, type UnprivilegedUser } from './unprivileged-user.ts'

export interface PostgresProcess {
  /** How it ended. */
  exited: Promise<string>
  stop(): Promise<void>
}

export interface PostgresLaunch extends Connections {
  binaries: PostgresBinaries
  args: string[]
  pgdata: string
  user: UnprivilegedUser | undefined
  log: FileHandle
}

/** Trying again will not help. */
export class HopelessStartError extends EmbeddedPostgresError {}

const WRONG_PASSWORD = '28P01'
const POLL_MS = 25
const SILENCE_LIMIT_MS = 60_000
const FAST_SHUTDOWN_LIMIT_MS = 20_000
const HOPELESS =
  /unrecognized configuration parameter|invalid value for parameter|incompatible with (the )?server|is outside the valid range|has (wrong ownership|invalid permissions)/

/** Resolves when it answers. */
export async function launchPostgres(launch: PostgresLaunch, signal: AbortSignal): Promise<PostgresProcess> {
  const { size: logStart } = await launch.log.stat()
  const child = spawn(executable(launch.binaries, 'postgres'), launch.args, {
    ...asUser(launch.user),
    cwd: '/',
    env: environment(launch.binaries),
    stdio: ['ignore', launch.log.fd, launch.log.fd],
    // Its own process group: Ctrl-C in a terminal must not stop it before the server has drained.
    detached: true,
  })
  let ended: string | undefined
  const exited = endOf(child).then((how) => {
    ended = how
    return how
  })
  const stop = () => stopChild(child, exited)
  let failure: unknown
  for (let silentMs = 0; ended === undefined && silentMs < SILENCE_LIMIT_MS && !signal.aborted; silentMs += POLL_MS) {
    const postmaster = await readPostmasterFile(launch.pgdata)
    // One that an earlier run left behind may answer in its place for a moment.
    const isOurs = postmaster?.pid === child.pid
    // Recovery after a crash takes as long as it takes, and each try to connect meanwhile fills the log.
    if (isOurs && !postmaster?.isReady) silentMs = 0
    if (isOurs && postmaster?.isReady) {
      try {
        await prepareRole(launch)
        return { exited, stop }
      } catch (error) {
        failure = error
        if (hasCode(error, WRONG_PASSWORD)) break
      }
    }
    await Promise.race([exited, sleep(POLL_MS)])
  }
  const how = ended ?? (failure === undefined ? 'no answer' : oneLine(failure))
  await stop()
  const tail = await readLogTail(launch.log, logStart)
  const message = `PostgreSQL did not start (${how})${tail && `: ${tail}`}`
  const isHopeless = child.pid === undefined || hasCode(failure, WRONG_PASSWORD) || HOPELESS.test(tail)
  throw isHopeless ? new HopelessStartError(message) : new EmbeddedPostgresError(message)
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(oneLine(error))
    })
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGINT')
  const escalation = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_LIMIT_MS)
  await exited
  clearTimeout(escalation)
}
