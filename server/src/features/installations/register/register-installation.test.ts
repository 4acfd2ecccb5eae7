import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { getInstallation } from '../read/get-installation.ts'
import { inTwoProcesses } from '../two-processes.test-support.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { registerInstallation } from './register-installation.ts'

const store = await createTestStore()

const holders = (ctx: Context) =>
  store.query<{ id: string; device_token: string }>(sql`
    select i.id, d.device_token from installation_details d join installations i using (app_id, installation_no)
    where d.app_id = ${ctx.app.id} and d.device_token_hash is not null`)

describe('registering', () => {
  it('answers the installation with everything the client sent', async () => {
    const ctx = await createTestApp(store)
    const body = {
      deviceType: 'android',
      userId: 'ali',
      deviceToken: 'fcm-1',
      tokenStatus: 'ALLOWED',
      osVersion: '15',
      clientVersion: '2.10.1',
      appVersion: '5.0',
      language: 'fa',
      timeZone: 'Asia/Tehran',
      subscriptions: ['default', 'public/news', 'orders'],
      launchCount: 3,
      launchTime: 1_763_164_800_000,
      installDate: 1_762_560_000_000,
      deviceModel: 'Pixel 9',
      realtime: true,
      somethingNew: { deep: ['x', 1, null] },
    }
    const answer = await registerInstallation(ctx, body)
    expect(answer).toMatchObject({
      ...body,
      appId: ctx.app.label,
      isGuest: false,
      isLoggedIn: true,
      uninstalled: false,
    })
    expect(isUuid(answer.id)).toBe(true)
    expect(await getInstallation(ctx, { id: answer.id })).toMatchObject({ ...answer, userInfo: {}, tags: [] })
  })

  it('keeps versions so that they compare', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { deviceType: 'ios', clientVersion: '1.9', osVersion: '18.1' })
    await registerInstallation(ctx, { deviceType: 'ios', clientVersion: '1.10' })
    const rows = await store.query<{ client_version: string }>(sql`
      select client_version from installations where app_id = ${ctx.app.id} order by client_version_key`)
    expect(rows.map((row) => row.client_version)).toEqual(['1.9', '1.10'])
  })

  it('makes a guest of its own when no user is named', async () => {
    const ctx = await createTestApp(store)
    const first = await registerInstallation(ctx, { deviceType: 'web' })
    const second = await registerInstallation(ctx, { deviceType: 'web' })
    expect(first).toMatchObject({ isGuest: true, isLoggedIn: false, launchCount: 1 })
    expect(first.userId).toMatch(/^guest-/)
    expect(second.userId).not.toBe(first.userId)
    const users = await store.query(
      sql`select user_id, is_guest from users where app_id = ${ctx.app.id} order by user_no`,
    )
    expect(users).toEqual([first, second].map(({ userId }) => ({ user_id: userId, is_guest: true })))
  })

  it('leaves a row for the events that wait for the first login', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { deviceType: 'web' })
    const answer = await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    const rows = await store.query(sql`
      select u.user_id, i.id from event_adoptions e
      join users u using (app_id, user_no) join installations i using (app_id, installation_no) where e.app_id = ${ctx.app.id}`)
    expect(rows).toEqual([{ user_id: 'ali', id: answer.id }])
  })

  it('names no token for the words that mean none', async () => {
    const ctx = await createTestApp(store)
    for (const deviceToken of ['disabled', 'NOT_EXIST']) {
      expect((await registerInstallation(ctx, { deviceType: 'web', deviceToken })).deviceToken).toBeUndefined()
    }
    expect(await holders(ctx)).toEqual([])
  })

  it('takes a token away from the installation that had it', async () => {
    const ctx = await createTestApp(store)
    const old = await registerInstallation(ctx, {
      deviceType: 'web',
      deviceToken: '{"endpoint":"https://e/1","keys":{}}',
    })
    const young = await registerInstallation(ctx, {
      deviceType: 'web',
      deviceToken: '{"keys":{"a":1},"endpoint":"https://e/1"}',
    })
    expect((await getInstallation(ctx, { id: old.id })).deviceToken).toBeUndefined()
    expect((await holders(ctx)).map((row) => row.id)).toEqual([young.id])
  })

  it('leaves one holder when many register with one token at once, from two processes', async () => {
    const ctx = await createTestApp(store)
    const answers = await inTwoProcesses(ctx, 120, (process, index) =>
      registerInstallation(process, { deviceType: 'web', deviceToken: `token-${(index >> 1) % 3}` }),
    )
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(120)
    expect((await holders(ctx)).map((row) => row.device_token).sort()).toEqual(['token-0', 'token-1', 'token-2'])
  })

  it('keeps apps apart that know the same user and token', async () => {
    const [one, two] = [await createTestApp(store), await createTestApp(store)]
    const body = { deviceType: 'web', userId: 'ali', deviceToken: 'same' }
    const [first, second] = await Promise.all([registerInstallation(one, body), registerInstallation(two, body)])
    expect((await getInstallation(one, { id: first.id })).deviceToken).toBe('same')
    expect((await getInstallation(two, { id: second.id })).deviceToken).toBe('same')
    await expect(getInstallation(one, { id: second.id })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('brings back an installation that names its own id', async () => {
    const ctx = await createTestApp(store)
    const { id } = await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    await unregisterInstallation(ctx, { id })
    expect(await registerInstallation(ctx, { deviceType: 'web', id: id.toUpperCase() })).toMatchObject({
      id,
      uninstalled: false,
      userId: 'ali',
    })
    const stranger = randomUUID()
    expect((await registerInstallation(ctx, { deviceType: 'web', id: stranger })).id).not.toBe(stranger)
  })

  it('belongs to the transaction of an idempotency key', async () => {
    const ctx = await createTestApp(store)
    const failing = store.transaction(async (tx) => {
      await registerInstallation({ ...ctx, tx }, { deviceType: 'web', userId: 'ali' })
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await store.query(sql`select 1 from users where app_id = ${ctx.app.id}`)).toEqual([])
  })
})
