import { execFile } from 'node:child_process'
import { chown, lchown, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, hasCode, oneLine } from './embedded-postgres-error.ts'

/** Whom PostgreSQL runs as when we are root, which it refuses to be. */
export interface UnprivilegedUser {
  name: string
  uid: number
  gid: number
}

export const isRoot = (): boolean => process.getuid?.() === 0

async function listUsers(): Promise<UnprivilegedUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || name.startsWith('#') || !uid || !gid) return []
    // macOS writes nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
  })
}

export async function chooseUnprivilegedUser(
  owner: { uid: number; gid: number } | undefined,
): Promise<UnprivilegedUser> {
  const users = await listUsers()
  if (owner && owner.uid !== 0) {
    return {
      name: users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid),
      uid: owner.uid,
      gid: owner.gid,
    }
  }
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (user) return user
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and there is no user postgres or nobody: start Peyk as an ordinary user or set PEYK_DATABASE_URL.',
  )
}

/** Options for spawn; Node wants signed numbers here and unsigned ones for chown. */
export function asUser(user: UnprivilegedUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid | 0, gid: user.gid | 0 } : {}
}

/** Runs it as that user; undefined when it went well, else what went wrong. */
export async function tryAsUser(user: UnprivilegedUser, command: string, args: string[]): Promise<string | undefined> {
  try {
    await promisify(execFile)(command, args, { ...asUser(user), cwd: '/', env: { LC_ALL: 'C' } })
    return undefined
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EINVAL')) return oneLine(error)
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and Peyk may not start a process as user ${user.name} here: start Peyk as an ordinary user or set PEYK_DATABASE_URL.`,
    )
  }
}

// Asking the system beats reading mode bits: access lists and mounts count too.
export async function canEnter(user: UnprivilegedUser, folder: string): Promise<boolean> {
  return (await tryAsUser(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])) === undefined
}

export async function giveTo(user: UnprivilegedUser | undefined, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid)
}

export async function giveTreeTo(user: UnprivilegedUser, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTreeTo(user, path)
    else await lchown(path, user.uid, user.gid)
  }
  await chown(folder, user.uid, user.gid)
}
