import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { getInstallation } from '../read/get-installation.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { updateInstallation } from '../register/update-installation.ts'
import { inTwoProcesses } from '../two-processes.test-support.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { setAttributes } from './set-attributes.ts'

const store = await createTestStore()

describe('setting attributes', () => {
  it('of a user reaches all installations, later ones too', async () => {
    const ctx = await createTestApp(store)
    expect(await setAttributes(ctx, { userId: 'ali', attributes: { age: 30 } })).toEqual({ count: 0 })
    const first = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    const second = await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    expect(await setAttributes(ctx, { userId: 'ali', attributes: { city: 'Tehran' } })).toEqual({ count: 2 })
    for (const { id } of [first, second])
      expect((await getInstallation(ctx, { id })).userInfo).toEqual({ age: 30, city: 'Tehran' })
  })

  it('of an installation stays there, wins there, and survives logout', async () => {
    const ctx = await createTestApp(store)
    const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    const other = await registerInstallation(ctx, { deviceType: 'web', userId: 'ali' })
    await setAttributes(ctx, { userId: 'ali', attributes: { theme: 'light', age: 30 } })
    expect(await setAttributes(ctx, { installationId: id, attributes: { theme: 'dark' } })).toEqual({ count: 1 })
    expect((await getInstallation(ctx, { id })).userInfo).toEqual({ theme: 'dark', age: 30 })
    expect((await getInstallation(ctx, { id: other.id })).userInfo).toEqual({ theme: 'light', age: 30 })
    await updateInstallation(ctx, { id, body: { isGuest: true } })
    expect((await getInstallation(ctx, { id })).userInfo).toEqual({ theme: 'dark' })
    await unregisterInstallation(ctx, { id })
    expect(await setAttributes(ctx, { installationId: id, attributes: { theme: 'x' } })).toEqual({ count: 0 })
  })

  it('of an unknown installation is 404, of nobody 400, of somebody else’s installation 400', async () => {
    const ctx = await createTestApp(store)
    const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    const attributes = { a: 1 }
    for (const installationId of ['x', randomUUID()]) {
      await expect(setAttributes(ctx, { installationId, attributes })).rejects.toMatchObject({ code: 'not-found' })
    }
    await expect(setAttributes(await createTestApp(store), { installationId: id, attributes })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(setAttributes(ctx, { attributes })).rejects.toMatchObject({ code: 'invalid-request' })
    await expect(setAttributes(ctx, { installationId: id, userId: 'sara', attributes })).rejects.toMatchObject({
      code: 'invalid-request',
    })
    expect(await setAttributes(ctx, { installationId: id, userId: 'ali', attributes })).toEqual({ count: 1 })
  })

  it('to null removes, and removing from nobody makes nobody', async () => {
    const ctx = await createTestApp(store)
    expect(await setAttributes(ctx, { userId: 'nobody', attributes: { age: null } })).toEqual({ count: 0 })
    expect(await store.query(sql`select 1 from users where app_id = ${ctx.app.id}`)).toEqual([])
    const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId: 'ali' })
    await setAttributes(ctx, { userId: 'ali', attributes: { age: 30, city: 'Tehran' } })
    await setAttributes(ctx, { userId: 'ali', attributes: { age: null } })
    expect((await getInstallation(ctx, { id })).userInfo).toEqual({ city: 'Tehran' })
  })

  it('keeps values as they came and, typed, as segments want them', async () => {
    const ctx = await createTestApp(store)
    const attributes = { n: 1.5, t: 'it’s "x" {y}', b: true, d: '2026-03-01T09:30:00Z', l: ['a,b', 'c"', 'NULL'] }
    await setAttributes(ctx, { userId: 'ali', attributes })
    const rows = await store.query(sql`
      select name, kind, number, text, list, value from user_attributes where app_id = ${ctx.app.id} order by name`)
    const none = { number: null, text: null, list: null }
    expect(rows).toEqual([
      { ...none, name: 'b', kind: 'boolean', number: 1, value: true },
      { ...none, name: 'd', kind: 'date', number: Date.parse(attributes.d), value: attributes.d },
      { ...none, name: 'l', kind: 'list', list: attributes.l, value: attributes.l },
      { ...none, name: 'n', kind: 'number', number: 1.5, value: 1.5 },
      { ...none, name: 't', kind: 'text', text: attributes.t, value: attributes.t },
    ])
  })

  it('with another type than the first keeps the value out of segments and warns', async () => {
    const ctx = await createTestApp(store)
    await setAttributes(ctx, { userId: 'ali', attributes: { age: 30 } })
    const answer = await setAttributes(ctx, { userId: 'sara', attributes: { age: 'thirty', city: 'Tehran' } })
    expect(answer).toEqual({
      count: 0,
      warnings: [expect.stringMatching(/^"age" was first a number; this value is a text/)],
    })
    const rows = await store.query(sql`
      select a.kind, a.text, a.value from user_attributes a join users u using (app_id, user_no)
      where a.app_id = ${ctx.app.id} and u.user_id = 'sara' and a.name = 'age'`)
    expect(rows).toEqual([{ kind: 'text', text: null, value: 'thirty' }])
    expect(await setAttributes(ctx, { userId: 'sara', attributes: { age: 31 } })).toEqual({ count: 0 })
    await setAttributes(ctx, { userId: 'ali', attributes: { age: null } })
    await setAttributes(ctx, { userId: 'sara', attributes: { age: null } })
    expect(await setAttributes(ctx, { userId: 'sara', attributes: { age: true } })).toHaveProperty('warnings')
  })

  it('decides a name’s type once, also when many first uses arrive together', async () => {
    const ctx = await createTestApp(store)
    const answers = await inTwoProcesses(ctx, 40, (process, index) =>
      setAttributes(process, { userId: `u${index}`, attributes: { x: index % 4 < 2 ? 'text' : index } }),
    )
    const [name] = await store.query<{ kind: string }>(
      sql`select kind from attribute_names where app_id = ${ctx.app.id} and name = 'x'`,
    )
    expect(answers.map((answer) => answer.warnings === undefined)).toEqual(
      answers.map((_, index) => (name?.kind === 'text') === index % 4 < 2),
    )
  })

  it('notes which names installations have of their own', async () => {
    const ctx = await createTestApp(store)
    const { id } = await registerInstallation(ctx, { deviceType: 'ios' })
    await setAttributes(ctx, { userId: 'ali', attributes: { theme: 'light', age: 30 } })
    await setAttributes(ctx, { installationId: id, attributes: { theme: 'dark' } })
    const names = await store.query(
      sql`select name, on_installation from attribute_names where app_id = ${ctx.app.id} order by name`,
    )
    expect(names).toEqual([
      { name: 'age', on_installation: false },
      { name: 'theme', on_installation: true },
    ])
  })

  it('never fails a neighbour in the batch', async () => {
    const ctx = await createTestApp(store)
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0
        ? setAttributes(ctx, { installationId: randomUUID(), attributes: { a: 1 } })
        : setAttributes(ctx, { userId: `u${index}`, attributes: { a: index } }),
    )
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map((outcome) => outcome.status)).toEqual(
      outcomes.map((_, index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
    )
  })
})
