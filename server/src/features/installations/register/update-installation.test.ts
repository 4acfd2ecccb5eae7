import { createHmac, randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { getInstallation } from '../read/get-installation.ts'
import { inTwoProcesses } from '../two-processes.test-support.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { registerInstallation } from './register-installation.ts'
import { updateDeviceToken } from './update-device-token.ts'
import { updateInstallation } from './update-installation.ts'

const store = await createTestStore()
let ctx: Context
let id: string

beforeEach(async () => {
  ctx = await createTestApp(store)
  id = (
    await registerInstallation(ctx, { deviceType: 'android', deviceToken: 'first', launchCount: 1, deviceModel: 'X' })
  ).id
})

const rowVersions = async () => {
  const [row] = await store.query(sql`
    select i.xmin::text as narrow, d.xmin::text as wide from installations i
    join installation_details d using (app_id, installation_no) where i.app_id = ${ctx.app.id} and i.id = ${id}`)
  return row as { narrow: string; wide: string }
}

describe('updating', () => {
  it.each([['not-a-uuid'], [randomUUID()]])(
    'answers 404 for %s, so that the client registers again',
    async (unknown) => {
      await expect(updateInstallation(ctx, { id: unknown, body: { userId: 'ali' } })).rejects.toMatchObject({
        code: 'not-found',
      })
      expect(await store.query(sql`select 1 from users where app_id = ${ctx.app.id} and user_id = 'ali'`)).toEqual([])
    },
  )

  it('answers 404 for an installation of another app', async () => {
    await expect(updateInstallation(await createTestApp(store), { id, body: {} })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  it('changes what is named and keeps the rest', async () => {
    await updateInstallation(ctx, {
      id,
      body: { language: 'fa', subscriptions: ['public/news', 'own'], extra: [1] } as never,
    })
    const answer = await updateInstallation(ctx, { id, body: { clientVersion: '2.0' } })
    expect(answer).toMatchObject({
      language: 'fa',
      clientVersion: '2.0',
      subscriptions: ['default', 'public/news', 'own'],
      deviceModel: 'X',
      extra: [1],
      deviceToken: 'first',
    })
  })

  it('touches only the narrow row at a visit, only the wide row for a detail, and none when nothing changed', async () => {
    const start = await rowVersions()
    await updateInstallation(ctx, { id, body: { launchCount: 2 } })
    const visited = await rowVersions()
    expect(visited).toEqual({ narrow: expect.not.stringMatching(`^${start.narrow}$`), wide: start.wide })
    await updateInstallation(ctx, { id, body: { deviceModel: 'Y' } })
    const changed = await rowVersions()
    expect(changed).toEqual({ narrow: visited.narrow, wide: expect.not.stringMatching(`^${visited.wide}$`) })
    await updateInstallation(ctx, { id, body: { deviceModel: 'Y', launchCount: 2, deviceToken: 'first' } })
    expect(await rowVersions()).toEqual(changed)
  })

  it('brings back what was unregistered', async () => {
    expect(await unregisterInstallation(ctx, { id })).toEqual({ count: 1 })
    expect(await unregisterInstallation(ctx, { id })).toEqual({ count: 0 })
    expect(await getInstallation(ctx, { id })).toMatchObject({ uninstalled: true, uninstalledAt: expect.any(Number) })
    const { uninstalled, uninstalledAt } = await updateInstallation(ctx, { id, body: {} })
    expect({ uninstalled, uninstalledAt }).toEqual({ uninstalled: false, uninstalledAt: undefined })
  })

  it('ends in order when many updates of one installation arrive at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        updateInstallation(ctx, { id, body: { launchCount: index + 2, [`key${index % 50}`]: index } as never }),
      ),
    )
    expect(answers.map((answer) => answer.launchCount)).toEqual(Array.from({ length: 200 }, (_, index) => index + 2))
    expect(await getInstallation(ctx, { id })).toMatchObject({ launchCount: 201, key0: 150, key49: 199 })
  })

  it('loses nothing when two processes update one installation at once', async () => {
    await inTwoProcesses(ctx, 100, (process, index) =>
      updateInstallation(process, { id, body: { [`key${index}`]: index } as never }),
    )
    const answer = (await getInstallation(ctx, { id })) as Record<string, unknown>
    expect(Array.from({ length: 100 }, (_, index) => answer[`key${index}`])).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    )
  })

  it('never leaves a token with two installations, whoever swaps with whom', async () => {
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map(
        async (deviceToken) => (await registerInstallation(ctx, { deviceType: 'ios', deviceToken })).id,
      ),
    )
    await inTwoProcesses(ctx, 160, (process, index) =>
      updateDeviceToken(process, {
        installationId: ids[(index * 7) % 4] as string,
        deviceToken: ['a', 'b', 'c', 'd'][(index * 5 + (index >> 2)) % 4] as string,
      }),
    )
    const held = (await Promise.all(ids.map((each) => getInstallation(ctx, { id: each })))).flatMap(
      ({ deviceToken }) => deviceToken ?? [],
    )
    expect(new Set(held).size).toBe(held.length)
  })
})

describe('logging in and out', () => {
  const loginRow = async () => {
    const [row] = await store.query<{ user: string; login: string | null; is_guest: boolean; logged_in_at: Date }>(sql`
      select u.user_id as user, l.user_id as login, i.is_guest, i.logged_in_at from installations i
      join users u using (app_id, user_no) left join users l on l.app_id = i.app_id and l.user_no = i.login_user_no
      where i.app_id = ${ctx.app.id} and i.id = ${id}`)
    return row as { user: string; login: string | null; is_guest: boolean; logged_in_at: Date }
  }

  it('remembers the user of the last login after logout', async () => {
    await updateInstallation(ctx, { id, body: { userId: 'ali', isGuest: false } })
    const inside = await loginRow()
    expect(inside).toMatchObject({ user: 'ali', login: 'ali', is_guest: false })
    await updateInstallation(ctx, { id, body: { isGuest: true } })
    expect(await loginRow()).toMatchObject({
      user: expect.stringMatching(/^guest-/),
      login: 'ali',
      is_guest: true,
      logged_in_at: inside.logged_in_at,
    })
  })

  it('remembers it also when both happen in one batch', async () => {
    await Promise.all([
      updateInstallation(ctx, { id, body: { userId: 'ali' } }),
      updateInstallation(ctx, { id, body: { isGuest: true } }),
    ])
    expect(await loginRow()).toMatchObject({ user: expect.stringMatching(/^guest-/), login: 'ali', is_guest: true })
    expect(await store.query(sql`select 1 from event_adoptions where app_id = ${ctx.app.id}`)).toHaveLength(1)
  })

  it('makes a guest who logs in under the same id a registered user', async () => {
    const { userId } = await getInstallation(ctx, { id })
    await updateInstallation(ctx, { id, body: { userId, isGuest: false } })
    expect(
      await store.query(sql`select is_guest from users where app_id = ${ctx.app.id} and user_id = ${userId}`),
    ).toEqual([{ is_guest: false }])
  })

  it('needs the user’s hash when the app verifies identities', async () => {
    const client = { ...ctx, client: { identitySecret: 'secret' } }
    const userHash = createHmac('sha256', 'secret').update('ali').digest('hex')
    for (const wrong of [undefined, 'abc', userHash.replace(/^./, (c) => (c === '0' ? '1' : '0'))]) {
      const body = { userId: 'ali', ...(wrong && { userHash: wrong }) }
      await expect(updateInstallation(client, { id, body })).rejects.toMatchObject({ code: 'identity-unverified' })
    }
    expect(await store.query(sql`select 1 from users where app_id = ${ctx.app.id} and user_id = 'ali'`)).toEqual([])
    expect(await updateInstallation(client, { id, body: { userId: 'ali', userHash } })).toMatchObject({
      userId: 'ali',
      isGuest: false,
    })
    expect(await updateInstallation(client, { id, body: { userId: 'ali', launchCount: 9 } })).toMatchObject({
      launchCount: 9,
    })
    await expect(updateInstallation(client, { id, body: { userId: 'sara', userHash } })).rejects.toMatchObject({
      code: 'identity-unverified',
    })
    expect(
      JSON.stringify(await store.query(sql`select details from installation_details where app_id = ${ctx.app.id}`)),
    ).not.toContain(userHash)
  })

  it('needs no hash from a back end, nor when the app does not verify', async () => {
    expect(
      await updateInstallation({ ...ctx, client: { identitySecret: undefined } }, { id, body: { userId: 'ali' } }),
    ).toMatchObject({ userId: 'ali' })
    expect(await updateInstallation(ctx, { id, body: { userId: 'sara' } })).toMatchObject({ userId: 'sara' })
  })
})

describe('refreshing the token', () => {
  it('replaces it, installs again, and leaves the user alone', async () => {
    await unregisterInstallation(ctx, { id })
    const input = {
      installationId: id,
      userId: 'somebody',
      deviceToken: 'second',
      deviceType: 'android',
      createdAt: 'whenever',
    }
    expect(await updateDeviceToken(ctx, input)).toMatchObject({
      deviceToken: 'second',
      isGuest: true,
      uninstalled: false,
    })
  })

  it('answers 404 for an unknown installation', async () => {
    await expect(updateDeviceToken(ctx, { installationId: 'x', deviceToken: 't' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
