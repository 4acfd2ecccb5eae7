import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { changeAttributes } from './change-attributes.ts'
import { setAttributes } from './set-attributes.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const named = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, value]))
const countOf = async (userId: string) => {
  const [row] = await store.query<{ count: number }>(sql`
    select count(*)::int as count from user_attributes join users using (app_id, user_no)
    where app_id = ${ctx.app.id} and user_id = ${userId}`)
  return row?.count
}

describe('an attribute', () => {
  it('takes so many bytes as JSON and no more, as a text and as a list', async () => {
    const set = (value: unknown) => setAttributes(ctx, { userId: 'ali', attributes: { value } })
    await set('é'.repeat(limits.attributeValueBytes / 2 - 1))
    for (const value of [
      'é'.repeat(limits.attributeValueBytes / 2),
      Array.from({ length: 900 }, (_, at) => `list ${at}`),
    ])
      await expect(set(value)).rejects.toMatchObject({ code: 'too-large', details: { field: 'value' } })
    const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'list', isGuest: false })
    const add = (values: string[]) =>
      changeAttributes(ctx, {
        installationId: id,
        __meta: { keys: { list: { operation: 'addToArray', value: values } } },
      })
    await add(['x'.repeat(999), 'y'.repeat(999), 'z'.repeat(999)])
    await expect(add(['a'.repeat(999), 'b'.repeat(999)])).rejects.toMatchObject({ code: 'too-large' })
  })

  it('that is larger from before may become smaller', async () => {
    await setAttributes(ctx, { userId: 'old', attributes: { note: 'x' } })
    await store.query(sql`update user_attributes set value = to_jsonb(repeat('x', 100000)), text = repeat('x', 1000)
      where name = 'note' and app_id = ${ctx.app.id}`)
    await setAttributes(ctx, { userId: 'old', attributes: { note: 'y'.repeat(4_000) } })
    await setAttributes(ctx, { userId: 'old', attributes: { note: null } })
    expect(await countOf('old')).toBe(0)
  })
})

describe('a user', () => {
  it('has so many attributes and no more; all of a call are taken or none', async () => {
    await setAttributes(ctx, { userId: 'many', attributes: named(limits.attributesPerUser - 1, 1) })
    const two = { userId: 'many', attributes: { 'name-0': 2, 'one more': 1, 'two more': 1 } }
    await expect(setAttributes(ctx, two)).rejects.toMatchObject({ code: 'limit-reached' })
    await setAttributes(ctx, { userId: 'many', attributes: { 'name-0': null, 'one more': 1, 'two more': 1 } })
    expect(await countOf('many')).toBe(limits.attributesPerUser)
    await setAttributes(ctx, { userId: 'many', attributes: { 'name-1': 'another value' } })
    // Whatever their order: one more and one fewer is as many as before.
    await setAttributes(ctx, { userId: 'many', attributes: { another: 1, 'name-1': null } })
    expect(await countOf('many')).toBe(limits.attributesPerUser)
  })

  it('has so many bytes of them', async () => {
    const value = 'x'.repeat(4_000)
    await setAttributes(ctx, { userId: 'large', attributes: named(16, value) })
    const more = { userId: 'large', attributes: { more: value } }
    await expect(setAttributes(ctx, more)).rejects.toMatchObject({ code: 'limit-reached' })
    await setAttributes(ctx, { userId: 'large', attributes: { 'name-3': null } })
    await setAttributes(ctx, more)
  })

  it('keeps within them when many calls come at once', async () => {
    const calls = Array.from({ length: 30 }, (_, index) =>
      setAttributes(ctx, { userId: 'crowd', attributes: { [`part-${index}`]: 'x'.repeat(4_000) } }).then(
        () => true,
        () => false,
      ),
    )
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(16)
    expect(await countOf('crowd')).toBe(16)
  })
})

it('an installation has fewer of its own', async () => {
  const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'own', isGuest: false })
  const set = (attributes: Record<string, unknown>) => setAttributes(ctx, { installationId: id, attributes })
  await set(named(limits.attributesPerInstallation, 1))
  await expect(set({ 'one more': 1 })).rejects.toMatchObject({ code: 'limit-reached' })
  const value = 'x'.repeat(4_000)
  await expect(set({ 'name-0': value, 'name-1': value, 'name-2': value, 'name-3': value })).rejects.toMatchObject({
    code: 'limit-reached',
  })
})
