import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it } from 'vitest'
import { findToken } from '#features/accounts/access-tokens/find-token.ts'
import { commands } from './commands.ts'
import { commandHelp } from './help.ts'
import { peyk, peykHere } from './peyk-process.test-support.ts'

const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../../package.json'), 'utf8'))
const store = await createTestStore()
const folder = await makeGuardedFolder('peyk-tools-')
afterAll(() => rm(folder, { recursive: true, force: true }))
const env = { PEYK_DATABASE_URL: store.url, PEYK_DATA: folder }
const run = (args: string[], stdin?: string) => peykHere(args, { env, ...(stdin !== undefined && { stdin }) })

describe('peyk', () => {
  it('shows its commands and its version', async () => {
    const help = await peyk(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const { name, summary } of commands) expect(help.stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
    expect(await peyk(['--version'])).toEqual({ code: 0, stdout: `peyk ${version}\n`, stderr: '' })
  })

  it.each(commands)('explains $name with examples', async (line) => {
    const help = commandHelp(line, (await line.load()).command)
    expect(help).toContain(`Usage: peyk ${line.name}`)
    expect(help).toMatch(new RegExp(`Examples:\n.*peyk ${line.name}`))
  })

  it('explains one command and the commands of one word', async () => {
    expect(await peykHere(['token', 'list', '--help'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('--app <label>'),
    })
    expect(await peykHere(['token', '--help'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('token revoke'),
    })
  })

  it('lists every setting in the help of start', async () => {
    const { command } = await import('./start/start.ts')
    const config = await readFile(join(import.meta.dirname, '../../base/config.ts'), 'utf8')
    const read = new Set(config.match(/PEYK_(?!TEST_)[A-Z_]+/g))
    expect(new Set(command.notes?.match(/PEYK_[A-Z_]+/g))).toEqual(read)
  })

  it.each([
    [['strat'], 2, 'Unknown command "strat"; did you mean "start"? See: peyk --help'],
    [
      ['app'],
      2,
      'Expected peyk app create or peyk app list or peyk app set or peyk app usage or peyk app quota or peyk app stop or peyk app resume. See: peyk --help',
    ],
    [['app', 'lsit'], 2, 'Unknown command "app lsit"; did you mean "app list"? See: peyk --help'],
    [['--app', 'x'], 2, 'Expected a command before --app. See: peyk --help'],
    [['start', 'now'], 2, 'Unexpected "now". See: peyk start --help'],
    [['token', 'list', '--ap', 'x'], 2, 'Unknown option --ap; did you mean --app? See: peyk token list --help'],
    [['token', 'list', '--app', 'x'], 1, 'There is no app "x", nor any other: create one with peyk app create.'],
  ])('answers %j with one line', async (args, code, message) => {
    expect(await run(args)).toEqual({ code, stdout: '', stderr: `peyk: ${message}\n` })
  })

  it('ends with the code of its failure', async () => {
    expect(await peyk(['strat'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'peyk: Unknown command "strat"; did you mean "start"? See: peyk --help\n',
    })
  })

  it('says that the database is away, without its password', async () => {
    const { code, stdout, stderr } = await peyk(['app', 'list'], {
      env: { PEYK_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/peyk' },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'peyk: The database of PEYK_DATABASE_URL (127.0.0.1:9/peyk) cannot be used: connect ECONNREFUSED 127.0.0.1:9\n',
    )
  })

  it('refuses a wrong setting', async () => {
    expect(await peykHere(['app', 'list'], { env: { PEYK_PORT: 'x' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PEYK_PORT is "x"'),
    })
  })
})

describe('peyk app, token and member', () => {
  it('make an app, whose tokens work and are shown once', async () => {
    const { code, stdout } = await run(['app', 'create', 'shop', '--name', 'My shop'])
    expect(code).toBe(0)
    const tokens = stdout.match(/\b[0-9a-f]{40}\b/g) as string[]
    expect(await Promise.all(tokens.map(async (token) => (await findToken(store, token))?.scopes))).toEqual([
      ['server'],
      ['client'],
    ])
    const listed = await run(['token', 'list', '--app', 'shop'])
    expect(listed.stdout).toMatch(/^ID +NAME +SCOPE +CREATED +LAST USED +EXPIRES\n/)
    for (const token of tokens) expect(listed.stdout).not.toContain(token)
    expect((await run(['app', 'list'])).stdout).toMatch(/^shop +My shop +20/m)
    expect(await run(['app', 'create', 'shop'])).toMatchObject({
      code: 1,
      stderr: 'peyk: An app "shop" already exists.\n',
    })
    expect(await run(['app', 'create', 'www'])).toMatchObject({ code: 2, stderr: expect.stringContaining('reserved') })
    expect(await run(['token', 'list', '--app', 'shpo'])).toMatchObject({
      code: 1,
      stderr: 'peyk: There is no app "shpo"; did you mean "shop"?\n',
    })
  })

  it('print JSON for programs', async () => {
    const app = JSON.parse((await run(['app', 'create', 'json', '--json'])).stdout)
    expect(app).toEqual({
      appId: 'json',
      name: 'json',
      accessToken: expect.stringMatching(/^[0-9a-f]{40}$/),
      clientKey: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const made = await run([
      'token',
      'create',
      '--app',
      'json',
      '--name',
      'web',
      '--scope',
      'client',
      '--origin',
      'https://a.example',
      '--expires',
      '90d',
      '--json',
    ])
    const token = JSON.parse(made.stdout)
    expect((await findToken(store, token.token))?.origins).toEqual(['https://a.example'])
    const tokens = JSON.parse((await run(['token', 'list', '--app', 'json', '--json'])).stdout)
    expect(tokens).toHaveLength(3)
    expect(tokens[2]).toMatchObject({
      id: token.id,
      name: 'web',
      scopes: ['client'],
      lastUsedOn: null,
      expiresAt: token.expiresAt,
    })
    expect(JSON.parse((await run(['app', 'list', '--json'])).stdout)).toContainEqual({
      appId: 'json',
      name: 'json',
      createdAt: expect.any(String),
    })
  })

  it('show and change the settings of an app, and show its identity secret once', async () => {
    await run(['app', 'create', 'setting'])
    const shown = await run(['app', 'set', 'setting', '--user-messages', 'on'])
    expect(shown.stdout).toMatch(
      /name +setting\n +user messages +on\n +public user messages +off\n +identity verification +off\n +time zone +UTC\n$/,
    )
    const open = await run(['app', 'set', 'setting', '--public-user-messages', 'on'])
    expect(open.stdout).toMatch(/ public user messages +on\n/)
    const zoned = await run(['app', 'set', 'setting', '--zone', 'Asia/Tehran'])
    expect(zoned.stdout).toMatch(/time zone +Asia\/Tehran\n$/)
    expect(await run(['app', 'set', 'setting', '--zone', 'Mars'])).toMatchObject({
      stderr: expect.stringContaining('expected a time zone such as "Asia/Tehran", got "Mars"'),
    })
    const on = await run(['app', 'set', 'setting', '--identity-verification', 'on', '--name', 'Set'])
    expect(on.stdout).toMatch(/identity secret +idsec_[0-9a-f]{64}\n/)
    expect((await run(['app', 'set', 'setting'])).stdout).not.toContain('idsec_')
    const anew = JSON.parse((await run(['app', 'set', 'setting', '--new-identity-secret', '--json'])).stdout)
    expect(anew).toMatchObject({ appId: 'setting', name: 'Set', identityVerification: true })
    expect(on.stdout).not.toContain(anew.identitySecret)
    expect(await run(['app', 'set', 'setting', '--identity-verification', 'yes'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'peyk: Expected --identity-verification on or --identity-verification off, got "yes". See: peyk app set --help\n',
    })
    await run(['app', 'set', 'setting', '--identity-verification', 'off'])
    expect(await run(['app', 'set', 'setting', '--new-identity-secret'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not verify identities'),
    })
  })

  it('stop all sending of an app and resume it, and say what waits', async () => {
    await run(['app', 'create', 'halting'])
    const stopped = await run(['app', 'stop', 'halting'])
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    expect(stopped.stdout).toMatch(
      /^All sending of halting is stopped since 20[\d-]+ [\d:]+ UTC\. Waiting:\n {2}0 messages to 0 devices\n {2}0 SMS\nResume with peyk app resume halting\.\n$/,
    )
    const again = JSON.parse((await run(['app', 'stop', 'halting', '--json'])).stdout)
    expect(again).toEqual({
      stopped: true,
      since: expect.any(Number),
      messages: 0,
      devices: 0,
      inFlight: 0,
      sms: 0,
    })
    const resumed = await run(['app', 'resume', 'halting'])
    expect(resumed.stdout).toBe(
      'All sending of halting is resumed. Now being sent:\n  0 messages to 0 devices\n  0 SMS\n',
    )
    expect(JSON.parse((await run(['app', 'resume', 'halting', '--json'])).stdout)).toMatchObject({ stopped: false })
    expect(await run(['app', 'stop', 'haltin'])).toMatchObject({ code: 1, stderr: expect.stringContaining('halting') })
  })

  it('withhold promo codes from guests and new installations', async () => {
    await run(['app', 'create', 'withholding'])
    const set = ['app', 'set', 'withholding']
    const shown = await run([...set, '--withhold-codes-from-guests', 'on', '--withhold-codes-hours', '24'])
    expect(shown.stdout).toMatch(/promo codes +not for guests\n +promo codes +24 h after registration\n$/)
    expect(JSON.parse((await run([...set, '--json'])).stdout)).toMatchObject({
      withholdCodesFromGuests: true,
      withholdCodesHours: 24,
    })
    expect(await run([...set, '--withhold-codes-hours', 'soon'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Expected --withhold-codes-hours and a whole number of hours, got "soon".'),
    })
  })

  it('revoke a token', async () => {
    await run(['app', 'create', 'revoking'])
    const { id, token } = JSON.parse(
      (await run(['token', 'create', '--app', 'revoking', '--name', 'parts', '--scope', 'push,tags', '--json'])).stdout,
    )
    expect((await findToken(store, token))?.scopes).toEqual(['push', 'tags'])
    expect(await run(['token', 'revoke', id, '--app', 'revoking'])).toMatchObject({
      code: 0,
      stdout: 'Revoked the token "parts".\n',
    })
    expect(await findToken(store, token)).toBeUndefined()
    expect(await run(['token', 'revoke', 'nothing', '--app', 'revoking'])).toMatchObject({ code: 1 })
  })

  it('make members with a password that is given, piped or made', async () => {
    await run(['app', 'create', 'people'])
    const member = ['member', 'create', '--app', 'people', '--role', 'admin']
    const made = await run([...member, '--email', 'a@example.com'])
    expect(made.stdout).toMatch(/a@example\.com is now admin of the app people\.\n\n {2}password {2}\w{20}\n/)
    expect(made.stdout).toMatch(/\n {2}link {6}http:\/\/\S+\/panel\/enter#[\w-]{43}\n/)
    const given = { env, stdin: 'from standard input\n' }
    expect(await peyk([...member, '--email', 'b@example.com', '--password-stdin'], given)).toMatchObject({
      code: 0,
      stdout: 'b@example.com is now admin of the app people.\n',
    })
    expect(await run([...member, '--email', 'c@example.com', '--password', 'a given password'])).toMatchObject({
      code: 0,
    })
    expect(await run([...member, '--email', 'd@example.com', '--password-stdin'], '\n')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('10 to 200 characters'),
    })
    const hashes = await store.query<{ password_hash: string }>(
      sql`select password_hash from members where email ~ '^[a-d]@example.com$'`,
    )
    expect(hashes).toHaveLength(3)

    const link = await run(['member', 'link', '--email', 'B@example.com', '--url', 'https://push.example.com/'])
    expect(link.stdout).toMatch(/^https:\/\/push\.example\.com\/panel\/enter#[\w-]{43}\n/)
    expect(await run(['member', 'link', '--email', 'b@example.com', '--url', 'push'])).toMatchObject({ code: 2 })
    const inPublic = { env: { ...env, PEYK_PUBLIC_URL: 'https://public.example.com' } }
    expect((await peykHere(['member', 'link', '--email', 'b@example.com'], inPublic)).stdout).toMatch(
      /^https:\/\/public\.example\.com\/panel\/enter#/,
    )
    const invite = ['member', 'create', '--app', 'people', '--email', 'new@example.com', '--role', 'analyst']
    expect((await peykHere(invite, inPublic)).stdout).toContain('https://public.example.com/panel/enter#')
    const elsewhere = ['member', 'link', '--email', 'b@example.com', '--url', 'https://push.example.com']
    expect((await peykHere(elsewhere, inPublic)).stdout).toMatch(/^https:\/\/push\.example\.com\//)
    expect(await run(['member', 'link', '--email', 'z@example.com'])).toMatchObject({ code: 1 })
    expect(await run(['member', 'remove', '--app', 'people', '--email', 'a@example.com'])).toMatchObject({ code: 0 })
    expect(await run(['member', 'remove', '--app', 'people', '--email', 'a@example.com'])).toMatchObject({ code: 1 })
    expect((await run(['member', 'list', '--app', 'people'])).stdout).toMatch(/^b@example\.com +admin +-\nc@/m)
    expect(await run(['member', 'remove', '--app', 'people', '--email', 'b@example.com'])).toMatchObject({ code: 0 })
    expect(await run(['member', 'remove', '--app', 'people', '--email', 'c@example.com'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only admin'),
    })
  })
})
