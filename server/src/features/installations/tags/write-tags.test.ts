import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { inTwoProcesses } from '../two-processes.test-support.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { addTags } from './add-tags.ts'
import { addValueTag } from './add-value-tag.ts'
import type { TagOperation } from './apply-tag-changes.ts'
import { listTagsOfUser } from './list-tags-of-user.ts'
import { removeTags } from './remove-tags.ts'
import { applyTagOperation, tagOperation } from './tag-model.test-support.ts'

const store = await createTestStore()

async function storedTags(ctx: Context, userId: string): Promise<Map<string, string | null>> {
  const rows = await store.query<{ tag: string; value: string | null }>(sql`
    select t.tag, t.value from user_tags t join users u using (app_id, user_no)
    where t.app_id = ${ctx.app.id} and u.user_id = ${userId} order by t.tag`)
  return new Map(rows.map((row) => [row.tag, row.value]))
}

function call(ctx: Context, userId: string, operation: TagOperation) {
  if (operation.kind === 'set') return addValueTag(ctx, { userId, tag: operation.tag, value: operation.value })
  return (operation.kind === 'add' ? addTags : removeTags)(ctx, { userId, tags: [operation.tag] })
}

describe('tags', () => {
  it('end as if concurrent calls of several users and apps had run one by one', async () => {
    const step = fc.record({ app: fc.nat(1), user: fc.constantFrom('u1', 'u2'), operation: tagOperation })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const apps = [await createTestApp(store), await createTestApp(store)]
        const model = new Map<string, Map<string, string | null>>()
        await Promise.all(steps.map(({ app, user, operation }) => call(apps[app] as Context, user, operation)))
        for (const { app, user, operation } of steps) {
          const tags = model.get(`${app}${user}`) ?? new Map()
          model.set(`${app}${user}`, tags)
          applyTagOperation(tags, operation)
        }
        for (const [app, ctx] of apps.entries()) {
          for (const user of ['u1', 'u2'])
            expect(await storedTags(ctx, user)).toEqual(model.get(`${app}${user}`) ?? new Map())
        }
      }),
      { numRuns: 40 },
    )
  })

  it('answer how many of the user’s installations are there', async () => {
    const ctx = await createTestApp(store)
    expect(await addTags(ctx, { userId: 'ali', tags: ['vip'] })).toEqual({ count: 0 })
    const first = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })
    expect(await addTags(ctx, { userId: 'ali', tags: ['vip', 'new'] })).toEqual({ count: 2 })
    await unregisterInstallation(ctx, { id: first.id })
    expect(await addValueTag(ctx, { userId: 'ali', tag: 'city', value: 'tehran' })).toEqual({ count: 1 })
    expect(await removeTags(ctx, { userId: 'ali', tags: ['never-there'] })).toEqual({ count: 1 })
    expect(await listTagsOfUser(ctx, { userId: 'ali' })).toEqual(['city', 'new', 'vip'])
    expect(await listTagsOfUser(ctx, { userId: 'sara' })).toEqual([])
  })

  it('make no user when they are removed from nobody', async () => {
    const ctx = await createTestApp(store)
    expect(await removeTags(ctx, { userId: 'nobody', tags: ['x'] })).toEqual({ count: 0 })
    expect(await addTags(ctx, { userId: 'nobody', tags: [] })).toEqual({ count: 0 })
    expect(await store.query(sql`select 1 from users where app_id = ${ctx.app.id}`)).toEqual([])
  })

  it('are not wiped by an empty list', async () => {
    const ctx = await createTestApp(store)
    await addTags(ctx, { userId: 'ali', tags: ['vip'] })
    await expect(removeTags(ctx, { userId: 'ali', tags: [] })).rejects.toMatchObject({ code: 'invalid-request' })
    expect(await listTagsOfUser(ctx, { userId: 'ali' })).toEqual(['vip'])
  })

  it('are limited to a thousand in one call', async () => {
    const ctx = await createTestApp(store)
    const tags = Array.from({ length: 1_001 }, (_, index) => `t${index}`)
    await expect(addTags(ctx, { userId: 'ali', tags })).rejects.toMatchObject({ code: 'too-large' })
    await expect(removeTags(ctx, { userId: 'ali', tags })).rejects.toMatchObject({ code: 'too-large' })
  })

  it('do not deadlock when two processes tag the same users in opposite order', async () => {
    const ctx = await createTestApp(store)
    await inTwoProcesses(ctx, 200, async (process, index) => {
      const [tag, userId] = index % 2 ? ['one', `u${index >> 2}`] : ['two', `u${49 - (index >> 2)}`]
      await addTags(process, { userId, tags: ['shared', tag] })
      await removeTags(process, { userId, tags: ['shared'] })
    })
    expect(await listTagsOfUser(ctx, { userId: 'u25' })).toEqual(['one', 'two'])
  })

  it('need an installation of the user when a client key calls and the app verifies identities', async () => {
    const ctx = await createTestApp(store)
    const { id } = await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    const client = { ...ctx, client: { identitySecret: 'secret' } }
    for (const installationId of [
      undefined,
      'x',
      (await registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })).id,
    ]) {
      const claim = { userId: 'ali', installationId }
      const refused = await Promise.allSettled([
        addTags(client, { ...claim, tags: ['a'] }),
        removeTags(client, { ...claim, tags: ['a'] }),
        addValueTag(client, { ...claim, tag: 'a', value: 'b' }),
        listTagsOfUser(client, claim),
      ])
      for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'identity-unverified' } })
    }
    expect(await addTags(client, { userId: 'ali', installationId: id, tags: ['a'] })).toEqual({ count: 1 })
    expect(await addTags({ ...ctx, client: { identitySecret: undefined } }, { userId: 'ali', tags: ['b'] })).toEqual({
      count: 1,
    })
    expect(await listTagsOfUser(client, { userId: 'ali', installationId: id })).toEqual(['a', 'b'])
  })

  it('belong to the transaction of an idempotency key', async () => {
    const ctx = await createTestApp(store)
    await expect(
      store.transaction(async (tx) => {
        await addTags({ ...ctx, tx }, { userId: 'ali', tags: ['vip'] })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await listTagsOfUser(ctx, { userId: 'ali' })).toEqual([])
  })
})
