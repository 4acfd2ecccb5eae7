import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulator } from '@peyk/simulator'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { findApp } from '#features/accounts/apps/find-app.ts'
import { externalWith, makeApnsKey, makeServiceAccount } from '#features/accounts/providers/credentials.test-support.ts'
import { findCredentials } from '#features/accounts/providers/find-credentials.ts'
import { peykHere } from '../peyk-process.test-support.ts'

const store = await createTestStore()
const folder = await mkdtemp(join(tmpdir(), 'peyk-provider-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const missing = join(folder, 'is-not-there')
const key = randomBytes(32)
const env = {
  PEYK_DATABASE_URL: store.url,
  PEYK_SECRET_KEY: key.toString('hex'),
  PEYK_DATA: folder,
  PEYK_MODE: 'production',
}
const run = (args: string[], stdin?: string) => peykHere(args, { env, ...(stdin !== undefined && { stdin }) })
const now = () => new Date()

async function makeApp(label: string) {
  await run(['app', 'create', label])
  const app = await findApp({ store, now }, { label })
  return { app: { id: app?.id as number, label }, store, now, external: externalWith(key) }
}

async function file(name: string, content: string | object): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('peyk provider set', () => {
  it.runIf(isThorough)('makes the pair of web push, keeps it, and lists it without its secret', async () => {
    const ctx = await makeApp('web')
    const set = ['provider', 'set', 'webpush', '--app', 'web', '--subject', 'mailto:push@shop.example']
    const made = await run(set)
    expect(made).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^Set the credentials of the app web for webpush\.\n\n {2}ok {5}The key pair matches/,
      ),
    })
    const stored = await findCredentials(ctx, { provider: 'webpush' })
    const pair = stored?.credentials as { publicKey: string; privateKey: string }
    expect(made.stdout).toContain(pair.publicKey)
    expect(await run(set)).toMatchObject({ code: 0, stdout: expect.stringContaining(pair.publicKey) })
    const listed = await run(['provider', 'list', '--app', 'web'])
    expect(listed.stdout).toMatch(/^PROVIDER +SET +STATE +WHAT\nwebpush +20.* checked 20.*publicKey=/)
    expect(made.stdout + listed.stdout).not.toContain(pair.privateKey)
    expect(await run(['provider', 'check', 'webpush', '--app', 'web'])).toMatchObject({ code: 0, stderr: '' })
    const other = await file('pair.json', { ...pair, publicKey: 'x' })
    expect(await run([...set, '--file', other])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('publicKey'),
    })
    expect(await run(['provider', 'remove', 'webpush', '--app', 'web'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ends every web push subscription'),
    })
    expect(await run(['provider', 'remove', 'webpush', '--app', 'web', '--force'])).toMatchObject({ code: 0 })
    expect((await run(['provider', 'list', '--app', 'web'])).stdout).toContain('has no credentials')
  })

  it('takes a gateway from a file, and its daily limit beside it', async () => {
    const ctx = await makeApp('texts')
    const gateway = {
      kind: 'http',
      method: 'POST',
      url: 'https://192.0.2.1/send?password=hunter2',
      body: { to: '{{to}}', text: '{{text}}' },
    }
    const path = await file('gateway.json', gateway)
    const args = ['provider', 'set', 'sms', '--app', 'texts', '--file', path, '--daily-limit', '7', '--force', '--json']
    const answer = await run(args)
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(answer.stdout).shown).toMatchObject({ kind: 'http', dailyLimit: 7 })
    expect(answer.stdout).not.toContain('hunter2')
    expect((await findCredentials(ctx, { provider: 'sms' }))?.credentials).toMatchObject({ url: gateway.url })
  })

  it('guesses the key id of Apple from the name of the file, and says what is missing', async () => {
    await makeApp('apple')
    const { privateKey } = makeApnsKey()
    const path = await file('AuthKey_ABC123DEFG.p8', privateKey)
    const set = ['provider', 'set', 'apns', '--app', 'apple', '--file']
    const rest = ['--team-id', 'DEF123GHIJ', '--bundle-id', 'com.example.shop', '--environment']
    expect(await run([...set, path, ...rest, 'test'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('environment: expected "production"'),
    })
    expect(await run([...set, await file('key.p8', privateKey), ...rest, 'sandbox'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing --key-id'),
    })
    expect(
      await run([...set, path, '--team-id', 'short', '--bundle-id', 'x', '--environment', 'sandbox']),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('teamId is not ten capital letters'),
    })
  })

  it.each([
    [
      ['set', 'webpsh', '--app', 'shop'],
      2,
      'Unknown provider "webpsh"; did you mean webpush? See: peyk provider set --help',
    ],
    [
      ['set', 'fcm', '--app', 'shop'],
      2,
      'Missing --file: the service account JSON of Firebase. See: peyk provider set --help',
    ],
    [
      ['set', 'fcm', '--app', 'shop', '--subject', 'x'],
      2,
      '--subject is not for fcm: it takes --file. See: peyk provider set --help',
    ],
    [['set', 'fcm', '--app', 'shop', '--file', missing], 1, `The file ${missing} cannot be read: ENOENT.`],
    [
      ['set', 'sms', '--app', 'shop', '--twilio-sid', 'AC1'],
      2,
      'Missing --twilio-token-stdin: the Auth Token comes by the standard input. See: peyk provider set --help',
    ],
    [['check', 'fcm', '--app', 'shop'], 1, 'This app has no credentials for Firebase (FCM).'],
    [['resume', 'fcm', '--app', 'shop'], 1, 'This app has no credentials for Firebase (FCM).'],
    [['remove', 'sms', '--app', 'shop'], 1, 'This app has no credentials for SMS.'],
  ])('answers %j with one line', async (args, code, message) => {
    await run(['app', 'create', 'shop'])
    expect(await run(['provider', ...args])).toEqual({ code, stdout: '', stderr: `peyk: ${message}\n` })
  })

  it.runIf(isThorough)('says what a wrong file is, without repeating it', async () => {
    await makeApp('wrong')
    const account = makeServiceAccount()
    const set = async (name: string, content: string | object) =>
      run(['provider', 'set', 'fcm', '--app', 'wrong', '--file', await file(name, content)])
    expect((await set('a.json', { project_info: {} })).stderr).toContain('This is google-services.json')
    expect((await set('b.json', 'AAAA no json')).stderr).toContain('got a text that is not JSON')
    const cut = await set('c.json', { ...account, private_key: account.private_key.slice(0, 500) })
    expect(cut).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('private_key') })
    expect(cut.stderr).not.toContain(account.private_key.split('\n')[1])
    expect((await set('d.json', { ...account, token_uri: 'https://evil.example/token' })).stderr).toContain('token_uri')
    expect((await run(['provider', 'list', '--app', 'wrong', '--json'])).stdout).toBe('[]\n')
  })
})

describe('beside a simulator', () => {
  it('sets what it issued, and says what it does not take', async () => {
    const simulator = await startSimulator()
    onTestFinished(() => simulator.close())
    const { fcm, apns, sms } = simulator.providers.credentials
    const ctx = await makeApp('simulated')
    const beside = { ...env, PEYK_MODE: 'development', PEYK_SIMULATOR_URL: simulator.url }
    const set = (args: string[], stdin = '') =>
      peykHere(['provider', 'set', ...args, '--app', 'simulated', '--simulated'], { env: beside, stdin })

    const account = await set(['fcm', '--file', await file('account.json', fcm)])
    expect(account).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('ok     Google accepts the credentials.'),
    })
    const path = await file(`AuthKey_${apns.keyId}.p8`, apns.key)
    const apple = ['apns', '--file', path, '--bundle-id', apns.bundleId, '--environment', apns.environment]
    expect(await set([...apple, '--team-id', apns.teamId])).toMatchObject({ code: 0, stderr: '' })
    const wrong = await set([...apple, '--team-id', 'ABCDEFGHIJ'])
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('peyk: Nothing was stored. Apple refuses'),
    })
    expect(wrong.stdout).toMatch(/ok {5}This is the key .*\n.*\n.*\n {2}WRONG {2}Apple refuses the credentials/)
    const { accountSid, authToken, from } = sms.twilio
    const twilio = ['sms', '--twilio-sid', accountSid, '--twilio-token-stdin', '--from', from]
    expect(await set(twilio, `${authToken}\n`)).toMatchObject({ code: 0, stderr: '' })
    const refused = await set(twilio, `${'0'.repeat(32)}\n`)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the credentials') })

    const check = (variables: Record<string, string>) =>
      peykHere(['provider', 'check', 'fcm', '--app', 'simulated'], { env: variables })
    expect(await check(beside)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Google accepts the credentials.'),
    })
    expect(await check(env)).toMatchObject({ code: 1, stdout: expect.stringContaining('belong to the simulator') })
    await file('demo.json', { simulatorUrl: simulator.url })
    expect(await check({ ...env, PEYK_MODE: 'development' })).toMatchObject({ code: 0 })
    expect((await findCredentials({ ...ctx, external: externalWith(key) }, { provider: 'apns' }))?.isSimulated).toBe(
      true,
    )
  })
})

describe('peyk secrets reseal', () => {
  it('makes an old key superfluous', async () => {
    const ctx = await makeApp('sealed')
    await run(['provider', 'set', 'webpush', '--app', 'sealed', '--subject', 'mailto:push@shop.example'])
    const webhook = externalWith(key).secretBox.seal('whsec_1')
    await store.query(sql`
      insert into webhooks (app_id, webhook_id, url, sealed_secret, events)
      values (${ctx.app.id}, gen_random_uuid(), 'https://a.example', ${webhook}, '{}')`)
    const newKey = randomBytes(32)
    const alone = { ...env, PEYK_SECRET_KEY: newKey.toString('base64') }
    const refused = await peykHere(['secrets', 'reseal'], { env: alone })
    expect(refused).toMatchObject({ code: 1, stderr: '' })
    expect(refused.stdout).toContain('NOT OPENED  the webpush credentials of the app sealed')
    expect(refused.stdout).toContain('of the app sealed: encrypted with a key that is not in PEYK_SECRET_KEY')
    expect((await peykHere(['provider', 'list', '--app', 'sealed'], { env: alone })).stdout).toContain('PAUSED')

    const both = { ...env, PEYK_SECRET_KEY: `${newKey.toString('base64')},${key.toString('hex')}` }
    expect(await peykHere(['secrets', 'reseal'], { env: both })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Sealed \d+ secrets anew\.\n$/),
    })
    expect((await peykHere(['provider', 'list', '--app', 'sealed'], { env: alone })).stdout).toContain(' checked ')
    const [row] = await store.query<{ sealed_secret: Buffer }>(
      sql`select sealed_secret from webhooks where app_id = ${ctx.app.id}`,
    )
    expect(externalWith(newKey).secretBox.open(row?.sealed_secret as Buffer)).toBe('whsec_1')
    expect((await findCredentials(ctx, { provider: 'webpush' }))?.credentials).toBeUndefined()
  })
})
