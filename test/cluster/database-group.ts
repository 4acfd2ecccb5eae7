import { execFile } from 'node:child_process'
import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findDatabaseFolder, pgdataOf } from '@peyk/server/base/store/embedded/database-home.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openClient } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { afterAll } from 'vitest'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'

const run = promisify(execFile)
export const names = ['one', 'two', 'three'] as const
export type Name = (typeof names)[number]

interface Member {
  folder: string
  postgres: EmbeddedPostgres | undefined
}

/**
 * A primary and two standbys, of which one has to confirm every commit. Standbys are copies of the files of the running
 * primary. Who fails over (in life Patroni or its like) is the test: it ends the old primary before it promotes another.
 */
export class DatabaseGroup {
  primary: Name = 'one'
  private readonly members: Record<Name, Member>

  private constructor(members: Record<Name, Member>) {
    this.members = members
  }

  static async start(): Promise<DatabaseGroup> {
    const folders = await Promise.all(names.map((name) => makeGuardedFolder(`peyk-${name}-`)))
    const asMember = (index: number): Member => ({ folder: folders[index] as string, postgres: undefined })
    const group = new DatabaseGroup({ one: asMember(0), two: asMember(1), three: asMember(2) })
    afterAll(async () => {
      await Promise.all(names.map((name) => group.members[name].postgres?.stop()))
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    })
    await group.launch('one')
    for (const name of ['two', 'three'] as const) await group.addStandby(name)
    await group.ask('one', `alter system set synchronous_standby_names = 'ANY 1 (${names.join(', ')})'`)
    await group.ask('one', 'select pg_reload_conf()')
    return group
  }

  /** For PEYK_DATABASE_URL. */
  get url(): string {
    const { user, password, database, port } = this.get('one').connection
    const hosts = names.map((name) => this.get(name).connection.host).join(',')
    return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(hosts)}&port=${port}`
  }

  /** kill -9 of the primary's PostgreSQL; whoever supervises it starts it again. */
  async killPrimary(): Promise<void> {
    process.kill(await this.pidOf(this.primary), 'SIGKILL')
  }

  /** The primary is killed and stays away; the standby that has most of it is promoted, and the other one follows that. */
  async failOver(): Promise<void> {
    const old = this.primary
    const pid = await this.pidOf(old)
    const ended = this.get(old).stop()
    process.kill(pid, 'SIGKILL')
    await ended.catch(() => undefined)
    this.members[old].postgres = undefined
    const standbys = names.filter((name) => name !== old)
    const received = await Promise.all(
      standbys.map(async (name) => {
        const [row] = await this.ask(name, `select pg_last_wal_receive_lsn() - '0/0' as bytes`)
        return { name, bytes: Number(row?.bytes) }
      }),
    )
    const [next, other] = received.toSorted((a, b) => b.bytes - a.bytes).map(({ name }) => name) as [Name, Name]
    await this.ask(next, 'select pg_promote()')
    this.primary = next
    await this.ask(other, `alter system set primary_conninfo = '${this.conninfo()}'`)
    await this.ask(other, 'select pg_reload_conf()')
  }

  /** Whoever was the primary before comes back as a standby, from nothing. */
  async rejoin(): Promise<void> {
    const away = names.find((name) => this.members[name].postgres === undefined)
    if (away) await this.addStandby(away)
  }

  private get(name: Name): EmbeddedPostgres {
    return this.members[name].postgres as EmbeddedPostgres
  }

  private async launch(name: Name): Promise<void> {
    const { folder } = this.members[name]
    const settings = { cluster_name: name, wal_keep_size: '1GB', hot_standby_feedback: 'on' }
    this.members[name].postgres = await startEmbeddedPostgres({
      ...{ dataFolder: folder, settings, connections: 120 },
      onLog: () => undefined,
    })
  }

  private conninfo(): string {
    const { host, port, user, password } = this.get(this.primary).bootstrap
    return `host=${host} port=${port} user=${user} password=${password}`
  }

  private async addStandby(name: Name): Promise<void> {
    const from = this.members[this.primary].folder
    const { folder } = this.members[name]
    const [source, target] = [pgdataOf(await findDatabaseFolder(from)), pgdataOf(folder)]
    await rm(target, { recursive: true, force: true })
    const client = await openClient(this.get(this.primary).bootstrap)
    await client.query(`select pg_backup_start('${name}', true)`)
    // Files may vanish while they are copied: what changed is in the log that the standby reads.
    await run('cp', ['-a', source, target]).catch(() => undefined)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await client.end()
    await run('cp', ['-a', join(from, 'postgres-password'), folder])
    for (const file of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
      await rm(join(target, file), { force: true })
    for (const file of await readdir(join(target, 'pg_wal')))
      if (/^[0-9A-F]{24}/.test(file)) await rm(join(target, 'pg_wal', file))
    const settings = await readFile(join(target, 'postgresql.auto.conf'), 'utf8')
    const others = settings.split('\n').filter((line) => !line.startsWith('primary_conninfo'))
    const own = `primary_conninfo = '${this.conninfo()}'\n`
    const written = {
      backup_label: rows[0]?.labelfile as string,
      'standby.signal': '',
      'postgresql.auto.conf': `${others.join('\n')}\n${own}`,
    }
    const { uid, gid } = await stat(target)
    for (const [file, text] of Object.entries(written)) {
      await writeFile(join(target, file), text, { mode: 0o600 })
      await chown(join(target, file), uid, gid)
    }
    await this.launch(name)
    await until(
      () =>
        this.ask(
          this.primary,
          `select 1 as n from pg_stat_replication where application_name = '${name}' and state = 'streaming'`,
        ),
      (rows) => rows.length === 1,
    )
  }

  private async ask(name: Name, text: string): Promise<Record<string, unknown>[]> {
    const client = await openClient(this.get(name).bootstrap)
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  private async pidOf(name: Name): Promise<number> {
    const pgdata = pgdataOf(await findDatabaseFolder(this.members[name].folder))
    return Number.parseInt(await readFile(join(pgdata, 'postmaster.pid'), 'utf8'), 10)
  }
}
