import { expect, it } from 'vitest'
import { inspectConfig, listSettings, loadConfig } from '#base/config.ts'
import { judgeBackups } from './check-backups.ts'
import { judgeClock } from './check-clock.ts'
import { checkConfig } from './check-config.ts'
import { judgeConnections, judgeIndex, judgeMigrations } from './check-database.ts'
import { judgeSpace } from './check-disk.ts'
import { judgeAnswer } from './check-port.ts'
import { judgeProvider } from './check-providers.ts'
import { judgeKeys } from './check-secrets.ts'
import { judgeOverdue, judgeRoles } from './check-sending.ts'
import { judgeWebhook } from './check-webhooks.ts'
import { type FindingOfArea, fault, ok } from './finding.ts'
import { formatBytes } from './format-bytes.ts'
import { formatReport } from './format-report.ts'

const HOUR = 3_600_000
const now = new Date('2026-11-16T12:00:00Z')
const before = (hours: number) => new Date(Number(now) - hours * HOUR)
const verdict = ({ state, code }: { state: string; code: string }) => `${state} ${code}`

it('knows every setting that is read, and none besides', () => {
  expect(listSettings().size).toBeGreaterThan(30)
  expect(listSettings().has('PEYK_TLS_KEY')).toBe(true)
  expect([...listSettings()].every((name) => name.startsWith('PEYK_'))).toBe(true)
})

it.each([
  [{}, ['ok settings']],
  [{ PEYK_PORT: 'x', PEYK_MODE: 'test', PEYK_TLS_CERT: '/a' }, Array(3).fill('fault wrong-setting')],
  [{ PEYK_PROT: '80', OTHER: '1', PEYK_TEST_LOG: 'warn' }, ['warning unknown-setting']],
  [{ PEYK_PORT: '1884' }, ['fault same-port']],
  [{ PEYK_PORT: '0', PEYK_MQTT_PORT: '0' }, ['ok settings']],
  [{ PEYK_ROLES: 'api,tests' }, ['fault wrong-setting']],
  [{ PEYK_ROLES: 'api', PEYK_DATABASE_URL: 'postgresql://db/peyk', PEYK_PORT: '1884' }, ['ok settings']],
  [
    { PEYK_ROLES: 'api', PEYK_DATABASE_URL: 'postgresql://db/peyk', PEYK_BACKUP_EVERY: '24' },
    ['warning setting-of-another-role'],
  ],
  [{ PEYK_BACKUP_KEEP: '3' }, ['warning backups-not-scheduled']],
  [{ PEYK_BACKUP_KEEP: '3', PEYK_BACKUP_EVERY: '24' }, ['ok settings']],
  [{ PEYK_TLS_CERT: '/not/there', PEYK_TLS_KEY: '/not/there' }, ['fault certificate']],
  [{ PEYK_CROWD_SIZE: '5' }, ['ok settings']],
  [{ PEYK_MODE: 'production', PEYK_HOST: '127.0.0.1', PEYK_CROWD_SIZE: '5' }, ['warning development-only']],
  [{ PEYK_MODE: 'production', PEYK_HOST: '127.0.0.1', PEYK_TEST_DURATIONS: '{}' }, ['fault test-setting']],
  [{ PEYK_MODE: 'production', PEYK_HOST: '8.8.8.8' }, ['warning plain-http']],
  [
    { PEYK_MODE: 'production', PEYK_HOST: '10.0.0.1', PEYK_PUBLIC_URL: 'http://push.example.com' },
    ['warning public-url-without-tls'],
  ],
] as const)('of the settings %j says %j', async (env, expected) => {
  expect((await checkConfig(inspectConfig(env), now)).map(verdict)).toEqual(expected)
})

it.each([
  [{}, 'development, all settings at their defaults'],
  [{ PEYK_PORT: '1' }, 'development, 1 setting set'],
  [{ PEYK_PORT: '1', PEYK_MQTT_PORT: '2' }, 'development, 2 settings set'],
])('counts the settings %j', async (env, text) => {
  expect(await checkConfig(inspectConfig(env), now)).toEqual([ok('settings', text)])
})

it('does not repeat the password of an address', async () => {
  const [finding] = await checkConfig(inspectConfig({ PEYK_PUBLIC_URL: 'https://u:hunter2@push.example.com/' }), now)
  expect(finding?.text).toContain('https://…@push.example.com')
})

it('guesses which setting was meant, and does not repeat its value', async () => {
  const [finding] = await checkConfig(inspectConfig({ PEYK_SECRET_KEYS: 'hunter2' }), now)
  expect(finding).toMatchObject({ advice: expect.stringContaining('PEYK_SECRET_KEY meant') })
  expect(JSON.stringify(finding)).not.toContain('hunter2')
})

it.each([
  [100e9, 200e9, 'ok disk'],
  [1e9, 10e9, 'warning disk-low'],
  [30e9, 1000e9, 'warning disk-low'],
  [400e6, 10e9, 'fault disk-full'],
])('of %d free bytes of %d says %s', (freeBytes, totalBytes, expected) => {
  expect(verdict(judgeSpace('data folder', { freeBytes, totalBytes }))).toBe(expected)
})

it('writes bytes as people do', () => {
  expect([0, 999, 1_500, 73.8e9, 271e9, 5e15].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.5 KB',
    '73.8 GB',
    '271 GB',
    '5000 TB',
  ])
})

const ready = { status: 200, body: '{"status":"ready"}' }
it.each([
  [ready, { isKnown: true, pid: 7 }, 'ok ready'],
  [ready, { isKnown: false }, 'ok ready'],
  [{ status: 200, body: '{"status":"ready","storing":"refused"}' }, { isKnown: false }, 'fault store-full'],
  [ready, { isKnown: true, pid: undefined }, 'warning other-folder'],
  [
    { status: 503, body: '{"error":{"message":"The database is away."}}' },
    { isKnown: true, pid: 7 },
    'fault not-ready',
  ],
  [{ status: 200, body: '<html>' }, { isKnown: true, pid: 7 }, 'fault other-program'],
  [{ status: 404, body: 'null' }, { isKnown: true, pid: undefined }, 'fault other-program'],
  [new Error('refused'), { isKnown: true, pid: undefined }, 'unseen not-running'],
  [new Error('refused'), { isKnown: true, pid: 7 }, 'warning other-settings'],
  [
    Object.assign(new Error('parse'), { code: 'HPE_INVALID_CONSTANT' }),
    { isKnown: true, pid: undefined },
    'fault other-program',
  ],
  [Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }), { isKnown: true, pid: 7 }, 'fault other-program'],
] as const)('of a service that answers %j, with the holder %j, says so', (answer, holder, expected) => {
  expect(verdict(judgeAnswer('http://localhost:8090', answer, holder))).toBe(expected)
})

it('tells what migrations and connections are missing', () => {
  const state = { isEmpty: false, missing: [] as string[], unknown: [] as string[] }
  expect(verdict(judgeMigrations({ ...state, isEmpty: true, missing: ['001.sql'] }, false))).toBe('ok empty')
  expect(verdict(judgeMigrations(state, true))).toBe('ok migrations')
  expect(verdict(judgeMigrations({ ...state, missing: ['2.sql'] }, true))).toBe('warning older-service')
  expect(verdict(judgeMigrations({ ...state, missing: ['2.sql'] }, false))).toBe('warning migrations-missing')
  expect(verdict(judgeMigrations({ ...state, unknown: ['9.sql'] }, false))).toBe('warning newer-database')
  const connections = (connectionsLeft: number, isUsed: boolean) =>
    verdict(judgeConnections({ connectionsLeft }, { poolSize: 12 }, isUsed))
  expect([connections(14, false), connections(13, false)]).toEqual(['ok connections', 'fault connections'])
  expect([connections(5, true), connections(4, true)]).toEqual(['ok connections', 'warning connections'])
})

it.each([
  [0, 'ok clock'],
  [-4_000, 'ok clock'],
  [20_000, 'warning clock'],
  [HOUR, 'fault clock'],
])('of a clock that is %d ms ahead says %s', (aheadMs, expected) => {
  const clock = { realNow: () => now, forwardMs: 0 }
  const machineNow = new Date(Number(now) + aheadMs)
  expect(verdict(judgeClock(clock, { mode: 'production', machineNow }))).toBe(expected)
})

it('tells of keys, providers, webhooks and waiting work', () => {
  expect([judgeKeys([], 1), judgeKeys([], 0), judgeKeys(['0a0b0c0d'], 1)].map(verdict)).toEqual([
    'ok key',
    'ok no-key',
    'fault key-missing',
  ])
  const listed = { provider: 'fcm', simulated: false, setAt: 0, shown: {} } as Parameters<typeof judgeProvider>[1]
  const finding = { ok: false, text: 'Google refuses the credentials.' }
  const taken = { check: { at: 0, result: 'taken', finding } } as const
  const refused = { check: { at: 0, result: 'refused', finding } } as const
  expect(verdict(judgeProvider('shop', listed, undefined))).toBe('warning provider-unchecked')
  expect(verdict(judgeProvider('shop', { ...listed, ...taken }, undefined))).toBe('ok provider')
  expect(verdict(judgeProvider('shop', { ...listed, ...refused }, undefined))).toBe('fault provider-refuses')
  const stall = { provider: 'fcm', since: 0, reason: 'network' } as const
  expect(verdict(judgeProvider('shop', { ...listed, ...taken }, stall))).toBe('fault provider-failing')
  const paused = { paused: { at: 0, reason: 'r' } }
  expect(verdict(judgeProvider('shop', { ...listed, ...paused }, stall))).toBe('fault provider-paused')
  const webhook = { id: 'w', url: 'https://a.example/secret', events: [], createdAt: 0, isEnabled: true, waiting: 1 }
  const hooks = [webhook, { ...webhook, failingSince: 0 }, { ...webhook, isEnabled: false, disabledReason: 'Dead.' }]
  const judged = hooks.map((each) => judgeWebhook('shop', each))
  expect(judged.map(verdict)).toEqual(['ok webhook', 'warning webhook-failing', 'fault webhook-disabled'])
  expect(JSON.stringify(judged)).not.toContain('/secret')
  const judge = (seconds: number, scheduled: number, isUsed = true, isHeld = false) =>
    judgeOverdue(
      { batches: [{ lane: 'group', seconds }], work: [{ what: 'scheduled messages', seconds: scheduled }] },
      { isUsed, isHeld },
    )
  expect(judge(2, 3).map(verdict)).toEqual(['ok in-time'])
  expect(judge(90, 2).map(verdict)).toEqual(['fault overdue'])
  expect(judge(90, 259_200).map(({ text }) => text)).toEqual([
    'The oldest work of delivery has waited for 90 seconds.',
    'The oldest work of scheduled messages has waited for 259200 seconds.',
  ])
  expect(judge(90, 2, false).map(verdict)).toEqual(['unseen waiting'])
  expect(judge(90, 2, true, true).map(verdict)).toEqual(['unseen waiting'])
})

it.each([
  [undefined, undefined, { PEYK_MODE: 'development' }, 'ok no-backup'],
  [undefined, undefined, { PEYK_MODE: 'production' }, 'warning no-backup'],
  [undefined, undefined, { PEYK_MODE: 'production', PEYK_BACKUP_EVERY: '24' }, 'warning no-backup'],
  [2, undefined, { PEYK_BACKUP_EVERY: '24' }, 'ok backup'],
  [40, undefined, { PEYK_BACKUP_EVERY: '24' }, 'fault backup-overdue'],
  [40, undefined, {}, 'ok backup'],
  [200, undefined, {}, 'warning backup-old'],
  [5, 2, {}, 'fault backup-failed'],
  [2, 5, {}, 'ok backup'],
  [undefined, 5, {}, 'fault backup-failed'],
])('of a backup %s hours ago and a failure %s hours ago, with %j, says %s', (made, failed, env, expected) => {
  const times = {
    succeededAt: made === undefined ? undefined : before(made),
    failedAt: failed === undefined ? undefined : before(failed),
  }
  expect(verdict(judgeBackups(times, loadConfig(env), now))).toBe(expected)
})

it('sums up many good ones, and puts what to do under what is wrong', () => {
  const good = Array.from({ length: 6 }, (): FindingOfArea => ({ area: 'webhooks', ...ok('webhook', 'w') }))
  const bad: FindingOfArea = { area: 'webhooks', ...fault('webhook-disabled', 'It is disabled.', 'Repair it.') }
  expect(formatReport([...good, bad])).toBe(
    [
      'ok        webhooks   6 in order',
      'FAULT     webhooks   It is disabled.',
      '                     → Repair it.',
      '',
      '1 fault, 0 warnings.',
    ].join('\n'),
  )
  expect(formatReport(good.slice(0, 1))).toMatch(/\n\nNothing is wrong\.$/)
})

it('misses a role that no running process has', () => {
  expect(judgeRoles(undefined)).toEqual([])
  expect(judgeRoles(['api', 'connection', 'worker', 'index'])).toEqual([])
  expect(judgeRoles(['api']).map(({ state, text }) => `${state}: ${text}`)).toEqual([
    'fault: No running process on this database has the role connection: no client can connect.',
    'fault: No running process on this database has the role worker: nothing is sent.',
    'warning: No running process on this database has the role index: segments of large apps are counted by SQL.',
  ])
})

it('tells why segments of large apps are counted by SQL', () => {
  expect(verdict(judgeIndex(undefined))).toBe('ok segment-index')
  expect(judgeIndex('PostgreSQL has wal_level = replica')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('wal_level = replica'),
  })
})
