import { randomBytes } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administer, databaseUrl } from '@peyk/test/database/database-cluster.ts'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { makeTestFolder, peykHere } from '../peyk-process.test-support.ts'
import type { FindingOfArea } from './finding.ts'

const store = await createTestStore()

async function examine(env: Record<string, string>) {
  const { code, stdout, stderr } = await peykHere(['doctor', '--json'], {
    env: { PEYK_PORT: '0', PEYK_MQTT_PORT: '0', PEYK_HOST: '127.0.0.1', ...env },
  })
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: FindingOfArea[] }
  expect(ok).toBe(code === 0)
  for (const { state, advice } of findings) expect(advice !== undefined).toBe(state === 'warning' || state === 'fault')
  return { code, stdout, states: findings.map(({ area, state, code: what }) => `${area}: ${state} ${what}`) }
}

it('finds what is wrong with a service, and tells no secret', async () => {
  const folder = await makeTestFolder('peyk-doctor-')
  const ctx = await createTestApp(store)
  const key = randomBytes(32)
  await writeFile(join(folder, 'secret.key'), key.toString('hex'))
  await chmod(join(folder, 'secret.key'), 0o644)
  const sealed = ctx.external.secretBox.seal('hunter2')
  await store.query(sql`
    insert into provider_credentials (app_id, provider, sealed, shown, is_simulated, set_at)
    values (${ctx.app.id}, 'fcm', ${sealed}, '{}', false, peyk_now())`)
  await store.query(sql`
    insert into webhooks (app_id, webhook_id, url, sealed_secret, events, failing_since)
    values (${ctx.app.id}, gen_random_uuid(), 'https://a.example/hunter2', ${sealed}, '{}', peyk_now())`)
  await store.query(sql`
    insert into backups (is_scheduled, file, started_at, ended_at, fault)
    values (true, 'a', peyk_now(), peyk_now(), 'the disk is full')`)
  await store.query(sql`
    insert into alerts (app_id, alert_id, kind, subject, text, details, raised_at)
    values (${ctx.app.id}, gen_random_uuid(), 'sms-limit', '', 'No more SMS today.', '{}', peyk_now())`)
  await store.query(sql`update apps set stopped_at = peyk_now() where app_id = ${ctx.app.id}`)
  const bare = await createTestApp(store)
  const env = { PEYK_MODE: 'production', PEYK_DATABASE_URL: store.url, PEYK_DATA: folder }
  const { code, stdout, states } = await examine(env)
  expect(code).toBe(1)
  expect(states).toEqual(
    expect.arrayContaining([
      'config: ok settings',
      'disk: unseen database-disk',
      'database: ok server',
      'database: ok writable',
      'database: ok migrations',
      'clock: ok clock',
      'secrets: warning key-of-this-machine',
      'secrets: warning key-readable',
      'secrets: fault key-missing',
      'providers: fault provider-paused',
      'providers: warning no-provider',
      'webhooks: warning webhook-failing',
      'sending: ok in-time',
      'sending: warning app-stopped',
      'sending: warning sms-limit',
      'backups: fault backup-failed',
    ]),
  )
  for (const secret of ['hunter2', key.toString('hex')]) expect(stdout).not.toContain(secret)

  await store.query(sql`insert into restores (backup_made_at, restored_at) values (peyk_now(), peyk_now())`)
  expect((await examine(env)).states).toContain('sending: fault held-after-restore')
  await store.query(sql`delete from restores`)
  await store.query(sql`delete from apps where app_id = ${bare.app.id}`)
  const text = await peykHere(['doctor'], { env: { ...env, PEYK_PORT: '0' } })
  expect(text.stdout).toMatch(/^FAULT {5}backups .*\n +→ See the log/m)
  expect(text.stdout).toMatch(/\n\n\d faults, \d+ warnings, \d not looked at\.\n$/)
})

it('finds that a simulated provider is paused, whether its simulator runs or not', async () => {
  const folder = await makeTestFolder('peyk-doctor-')
  const { app } = await createTestApp(store)
  const key = randomBytes(32)
  const sealed = createSecretBox([key]).seal('{}')
  await store.query(sql`
    insert into provider_credentials (app_id, provider, sealed, shown, is_simulated, set_at, paused_at, paused_reason)
    values (${app.id}, 'apns', ${sealed}, '{}', true, peyk_now(), null, null),
      (${app.id}, 'fcm', ${sealed}, '{}', true, peyk_now(), peyk_now(), 'FCM 401')`)
  const env = { PEYK_DATABASE_URL: store.url, PEYK_DATA: folder, PEYK_SECRET_KEY: key.toString('hex') }
  const { stdout, states } = await examine(env)
  expect(states).toEqual(expect.arrayContaining(['providers: ok simulated', 'providers: fault provider-paused']))
  expect(stdout).toContain('FCM 401')
})

it('leaves an empty database as it is, and says what it could not look at', async () => {
  const clusterUrl = inject('clusterUrl')
  const name = `peyk_doctor_${process.pid}`
  await administer(clusterUrl, `create database ${name}`)
  onTestFinished(() => administer(clusterUrl, `drop database ${name} with (force)`))
  const env = { PEYK_DATABASE_URL: databaseUrl(clusterUrl, name), PEYK_DATA: await makeTestFolder('peyk-doctor-') }
  for (const _round of [1, 2]) {
    const { code, states } = await examine(env)
    expect(code).toBe(0)
    expect(states).toEqual(expect.arrayContaining(['database: ok empty', 'backups: unseen no-database']))
  }
  await administer(clusterUrl, `alter database ${name} set default_transaction_read_only = on`)
  expect((await examine(env)).states).toContain('database: fault not-writable')
})

it('finds that the backup folder is none', async () => {
  const folder = await makeTestFolder('peyk-doctor-')
  const file = join(folder, 'backups')
  await writeFile(file, '')
  const env = { PEYK_DATA: folder, PEYK_BACKUP_EVERY: '24', PEYK_BACKUP_FOLDER: file }
  expect((await examine(env)).states).toContain('disk: fault no-folder')
})

it('says that there is no database: that is none to make', async () => {
  const folder = await makeTestFolder('peyk-doctor-')
  expect(await examine({ PEYK_DATA: folder })).toMatchObject({
    code: 0,
    states: expect.arrayContaining(['database: unseen no-database']),
  })
  const away = { PEYK_DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:9/peyk', PEYK_DATA: folder }
  const { code, stdout, states } = await examine(away)
  expect(code).toBe(1)
  expect(states).toContain('database: fault unreachable')
  expect(stdout).not.toContain('hunter2')
  const { states: unread } = await examine({ PEYK_DATABASE_URL: 'mysql://x', PEYK_DATA: folder, PEYK_SECRET_KEY: 'x' })
  expect(unread).toEqual(expect.arrayContaining(['config: fault wrong-setting', 'secrets: fault wrong-key']))
})
