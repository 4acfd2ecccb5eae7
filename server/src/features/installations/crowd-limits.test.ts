import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { listInstallationsOfUser } from './read/list-installations-of-user.ts'
import { registerInstallation } from './register/register-installation.ts'
import { updateInstallation } from './register/update-installation.ts'
import { addTags } from './tags/add-tags.ts'
import { removeTags } from './tags/remove-tags.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const register = (userId: string, more: object = {}) =>
  registerInstallation(ctx, { deviceType: 'android', userId, isGuest: false, ...more })
const fill = (userId: string, more: object = {}) =>
  Promise.all(Array.from({ length: limits.installationsPerUser }, () => register(userId, more)))

describe('installations of a user', () => {
  it('are so many and no more, by registration and by login', async () => {
    const [first] = await fill('crowd')
    await expect(register('crowd')).rejects.toMatchObject({ code: 'limit-reached' })
    const guest = await registerInstallation(ctx, { deviceType: 'android' })
    const logIn = updateInstallation(ctx, { id: guest.id, body: { userId: 'crowd', isGuest: false } })
    await expect(logIn).rejects.toMatchObject({ code: 'limit-reached' })
    expect(await listInstallationsOfUser(ctx, { userId: 'crowd' })).toHaveLength(limits.installationsPerUser)
    // Whoever is there already goes on.
    await updateInstallation(ctx, {
      id: first?.id as string,
      body: { userId: 'crowd', isGuest: false, launchCount: 7 },
    })
    await register('another')
  })

  it('give way when they have no token and were not seen for long, and never otherwise', async () => {
    await fill('old')
    const age = (condition: ReturnType<typeof sql>) =>
      store.query(sql`update installations i set launched_at = now() - interval '91 days'
        from users u, installation_details d
        where u.app_id = i.app_id and u.user_no = i.user_no and u.user_id = 'old'
          and d.app_id = i.app_id and d.installation_no = i.installation_no and ${condition}`)
    await store.query(sql`update installation_details d set device_token = 'token-' || d.installation_no
      from installations i join users u using (app_id, user_no)
      where d.app_id = i.app_id and d.installation_no = i.installation_no and u.user_id = 'old'`)
    await age(sql`true`)
    await expect(register('old')).rejects.toMatchObject({ code: 'limit-reached' })
    await store.query(sql`update installation_details d set device_token = null
      from installations i join users u using (app_id, user_no)
      where d.app_id = i.app_id and d.installation_no = i.installation_no and u.user_id = 'old'
        and i.installation_no = (select min(installation_no) from installations join users using (app_id, user_no) where user_id = 'old')`)
    await register('old')
    await expect(register('old')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('keep within the limit when many come at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 150 }, () => register('rush')))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.installationsPerUser)
  })
})

describe('tags of a user', () => {
  const tags = (from: number, count: number) => Array.from({ length: count }, (_, index) => `tag-${from + index}`)

  it('are so many and no more', async () => {
    await addTags(ctx, { userId: 'tagged', tags: tags(0, 600) })
    await addTags(ctx, { userId: 'tagged', tags: tags(500, 500) })
    const more = { userId: 'tagged', tags: ['one more'] }
    await expect(addTags(ctx, more)).rejects.toMatchObject({ code: 'limit-reached' })
    await addTags(ctx, { userId: 'tagged', tags: tags(0, 1_000) })
    await removeTags(ctx, { userId: 'tagged', tags: ['tag-3'] })
    await addTags(ctx, more)
  })

  it('keep within the limit when many calls come at once; each takes effect or not', async () => {
    const calls = Array.from({ length: 15 }, (_, index) =>
      addTags(ctx, { userId: 'rush', tags: tags(index * 100, 100) }),
    )
    const ended = await Promise.allSettled(calls)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(
      await store.query(
        sql`select count(*)::int from user_tags join users using (app_id, user_no) where user_id = 'rush'`,
      ),
    ).toEqual([{ count: 1_000 }])
  })
})

describe('an installation', () => {
  it('has so many channels', async () => {
    const subscriptions = Array.from({ length: limits.channelsPerInstallation + 1 }, (_, index) => `public/c${index}`)
    await expect(register('channels', { subscriptions })).rejects.toMatchObject({ code: 'too-large' })
    await register('channels', { subscriptions: subscriptions.slice(1) })
  })

  it('has so many bytes of further fields, and may have fewer when it has more from before', async () => {
    const large = { note: 'é'.repeat(limits.installationDetailsBytes / 2) }
    await expect(register('details', large)).rejects.toMatchObject({ code: 'too-large' })
    const { id } = await register('details', { model: 'X' })
    await store.query(sql`update installation_details set details = jsonb_build_object('note', repeat('x', 50000))
      where installation_no = (select installation_no from installations where id = ${id})`)
    await updateInstallation(ctx, { id, body: { note: 'x'.repeat(40_000) } as never })
    await expect(updateInstallation(ctx, { id, body: { note: 'x'.repeat(60_000) } as never })).rejects.toMatchObject({
      code: 'too-large',
    })
  })
})
