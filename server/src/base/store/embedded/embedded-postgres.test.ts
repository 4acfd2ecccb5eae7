import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeDataFolder, makeUsedDataFolder, query, readPid, startHere } from './embedded-postgres.test-support.ts'
import { connectRunningPostgres } from './embedded-postgres.ts'
import { findCommandLine, findProcessIdentity } from './running-process.ts'
import { findRunningServer } from './server-lock-file.ts'

describe('a data folder', () => {
  it('keeps its data from one start to the next', async () => {
    const dataFolder = await makeDataFolder()
    const first = await startHere(dataFolder)
    await query(first.connection, "create table kept as select 'here' as word")
    await first.stop()
    expect(await readPid(dataFolder)).toBeUndefined()

    const second = await startHere(dataFolder)
    expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'here' }])
    expect(second.log).toEqual([])
    await second.stop()
    expect((await readdir(dataFolder)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
    expect((await stat(join(dataFolder, 'postgres-password'))).mode & 0o777).toBe(0o600)
  })

  it('holds a UTF-8 database with checksums that listens on its socket only', async () => {
    const { connection } = await startHere(await makeUsedDataFolder())
    const names = ['data_checksums', 'server_encoding', 'listen_addresses', 'TimeZone', 'password_encryption']
    const values = names.map((name) => `current_setting('${name}') as "${name}"`)
    const collation = '(select datcollate from pg_database where datname = current_database()) as collation'
    expect(await query(connection, `select ${values}, ${collation}`)).toEqual([
      {
        data_checksums: 'on',
        server_encoding: 'UTF8',
        listen_addresses: '',
        TimeZone: 'UTC',
        password_encryption: 'scram-sha-256',
        collation: 'C',
      },
    ])
    await expect(query({ ...connection, password: 'guessed' }, 'select 1')).rejects.toThrow('password')
  })

  it('with a long path or odd characters works as well', async () => {
    const dataFolder = await makeUsedDataFolder(join('x'.repeat(120), `it's "quoted", $HOME`))
    const { connection, stop } = await startHere(dataFolder)
    expect(connection.host).not.toContain('xxx')
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await connectRunningPostgres(dataFolder)).toEqual(connection)
    await stop()
    await expect(stat(connection.host)).rejects.toThrow('ENOENT')
  })

  it('that a group was let into, as Kubernetes does with volumes, is closed again', async () => {
    const dataFolder = await makeUsedDataFolder()
    const pgdata = join(dataFolder, 'postgres')
    await chmod(pgdata, 0o2770)
    const { connection } = await startHere(dataFolder)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(pgdata)).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.platform === 'linux')('is served by a process that shows another boot id to itself', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(dataFolder)
    // The folder of the runtime and the names of other programs' files say nothing about what a process runs.
    const node = join(await makeUsedDataFolder(), 'peyk', 'node')
    await mkdir(dirname(node))
    await symlink(process.execPath, node)
    const serve = async (...args: string[]) => {
      const child = spawn(node, ['-e', 'setInterval(() => {}, 1000)', '--', ...args])
      onTestFinished(() => void child.kill('SIGKILL'))
      const pid = child.pid as number
      const [start] = ((await findProcessIdentity(pid)) as string).split(' ')
      await writeFile(join(dataFolder, 'peyk.pid'), `${pid}\n${start} 00000000-of-another-view\nx\n`)
      await until(
        () => findCommandLine(pid),
        (line) => line?.endsWith(args.join(' ')) === true,
      )
      return pid
    }
    for (const command of ['/opt/peyk/server/bin/peyk.js', '/opt/two words/é/node_modules/.bin/peyk']) {
      const pid = await serve(command, 'start')
      expect(await findRunningServer(dataFolder)).toBe(pid)
    }
    for (const command of ['another program', '/srv/peyk/tools/other.js', '/srv/peyk/', 'peyk.json', '/srv/my peyk']) {
      await serve(command)
      expect(await findRunningServer(dataFolder), command).toBeUndefined()
    }
  })

  it.runIf(isThorough)('gets a new log when the old one has grown large', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(dataFolder)
    await writeFile(join(dataFolder, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024))
    await startHere(dataFolder)
    expect(await readFile(join(dataFolder, 'postgres.log'), 'utf8')).toMatch(/ready to accept connections/)
    expect((await stat(join(dataFolder, 'postgres.log'))).size).toBeLessThan(1024 * 1024)
  })
})

describe('a start that cannot succeed', () => {
  it('names a setting that PostgreSQL does not know, at once', async () => {
    const dataFolder = await makeUsedDataFolder()
    const failure = await startHere(dataFolder, { no_such_setting: '1' }).catch((error) => error)
    expect(failure.message).toContain('no_such_setting')
    expect(failure.message).not.toContain('\n')
    expect(await readdir(dataFolder)).not.toContain('peyk.pid')
  })

  it('leaves a folder alone that is no database', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(join(dataFolder, 'postgres'), { recursive: true })
    await writeFile(join(dataFolder, 'postgres', 'letter.txt'), 'dear')
    await expect(startHere(dataFolder)).rejects.toThrow('is not empty and not a PostgreSQL database')
    expect(await readFile(join(dataFolder, 'postgres', 'letter.txt'), 'utf8')).toBe('dear')
  })

  it('says so when the password is lost or wrong', async () => {
    const dataFolder = await makeUsedDataFolder()
    await (await startHere(dataFolder)).stop()
    await writeFile(join(dataFolder, 'postgres-password'), 'another')
    await expect(startHere(dataFolder)).rejects.toThrow('password authentication failed')
    await writeFile(join(dataFolder, 'postgres-password'), '')
    await expect(startHere(dataFolder)).rejects.toThrow('postgres-password is missing')
  })

  it('says so when the data folder is a file', async () => {
    const dataFolder = await makeDataFolder()
    await mkdir(dirname(dataFolder), { recursive: true })
    await writeFile(dataFolder, '')
    await expect(startHere(dataFolder)).rejects.toThrow(/^The embedded PostgreSQL cannot start: .*not a directory/)
  })
})
