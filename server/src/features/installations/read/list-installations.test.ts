import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { setAttributes } from '../attributes/set-attributes.ts'
import { listChannels } from '../channels/list-channels.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { addTags } from '../tags/add-tags.ts'
import { addValueTag } from '../tags/add-value-tag.ts'
import { listTags } from '../tags/list-tags.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { listInstallations } from './list-installations.ts'
import { listInstallationsOfUser } from './list-installations-of-user.ts'

const store = await createTestStore()
let ctx: Context
let foreign: string
let a1: string
let a2: string
let s1: string

beforeAll(async () => {
  ctx = await createTestApp(store)
  const register = async (userId: string, subscriptions: string[]) =>
    (await registerInstallation(ctx, { deviceType: 'web', userId, subscriptions })).id
  a1 = await register('ali', ['public/news', 'orders'])
  a2 = await register('ali', ['public/news', 'public/sport'])
  s1 = await register('sara', ['public/news', 'default'])
  foreign = (
    await registerInstallation(await createTestApp(store), {
      deviceType: 'web',
      userId: 'ali',
      subscriptions: ['public/x'],
    })
  ).id
  await addValueTag(ctx, { userId: 'ali', tag: 'city', value: 'tehran' })
  await addTags(ctx, { userId: 'ali', tags: ['vip'] })
  await setAttributes(ctx, { userId: 'ali', attributes: { age: 30 } })
  await unregisterInstallation(ctx, { id: s1 })
})

const list = async (context: Context, filter: unknown) =>
  (await listInstallations(context, { filter: typeof filter === 'string' ? filter : JSON.stringify(filter) })).map(
    ({ id }) => id,
  )

describe('listing installations', () => {
  it('by id answers in the order of the ids, without unknown and foreign ones', async () => {
    expect(await list(ctx, { where: { id: { inq: [s1, randomUUID(), a1, 'x', foreign, a1.toUpperCase()] } } })).toEqual(
      [s1, a1],
    )
    expect(await list(ctx, { where: { id: a2 } })).toEqual([a2])
    expect(await list(ctx, { where: { id: { inq: [] } } })).toEqual([])
  })

  it('by user answers the newest login first', async () => {
    expect(await list(ctx, { where: { userId: 'ali' } })).toEqual([a2, a1])
    expect(await list(ctx, { where: { userId: { inq: ['ali', 'sara'] } }, limit: 2 })).toEqual([s1, a2])
    expect(await list(ctx, { where: { userId: 'sara', id: { inq: [a1, s1] } } })).toEqual([s1])
    expect((await listInstallationsOfUser(ctx, { userId: 'ali' })).map(({ id }) => id)).toEqual([a2, a1])
    expect(await listInstallationsOfUser(ctx, { userId: 'nobody' })).toEqual([])
  })

  it('tells what is known of the user and whether it is uninstalled', async () => {
    const [ali] = await listInstallationsOfUser(ctx, { userId: 'ali' })
    expect(ali).toMatchObject({
      userInfo: { age: 30 },
      tags: ['city', 'vip'],
      tagValues: { city: 'tehran' },
      uninstalled: false,
    })
    const [sara] = await listInstallationsOfUser(ctx, { userId: 'sara' })
    expect(sara).toMatchObject({ userInfo: {}, tags: [], tagValues: {}, uninstalled: true })
  })

  it('lets a client key see only what it names by id, of one user', async () => {
    const client = { ...ctx, client: { identitySecret: undefined } }
    expect(await list(client, { where: { id: { inq: [a1] } } })).toEqual([a1])
    expect(await list(client, { where: { id: { inq: [a2, s1, a1] } } })).toEqual([a2, a1])
    expect(await list(client, { where: { id: { inq: [a2, s1, a1] } }, limit: 2 })).toEqual([a2, a1])
    expect(await list(client, { where: { id: { inq: [foreign, s1, a1] } } })).toEqual([s1])
    expect(await list(client, { where: { id: { inq: [] } } })).toEqual([])
    await expect(list(client, { where: { userId: 'ali' } })).rejects.toMatchObject({ code: 'wrong-scope' })
  })

  it.each([
    ['{', 'filter'],
    ['[]', 'filter'],
    ['{}', 'filter.where'],
    ['{"where":{}}', 'filter.where'],
    ['{"where":{"deviceType":"ios"}}', 'filter.where.deviceType'],
    ['{"where":{"id":{"neq":"x"}}}', 'filter.where.id'],
    ['{"where":{"userId":{"inq":[{}]}}}', 'filter.where.userId'],
    ['{"where":{"userId":"a\\u0000"}}', 'filter.where.userId'],
    ['{"where":{"userId":"\\ud800"}}', 'filter.where.userId'],
    ['{"where":{"userId":"a"},"limit":-1}', 'filter.limit'],
  ])('refuses %s', async (filter, field) => {
    await expect(list(ctx, filter)).rejects.toMatchObject({ code: 'invalid-request', details: { field } })
  })

  it('refuses more than a thousand ids', async () => {
    await expect(list(ctx, { where: { id: { inq: Array(1_001).fill('x') } } })).rejects.toMatchObject({
      code: 'too-large',
    })
  })
})

it('lists public channels with those who are there', async () => {
  expect(await listChannels(ctx)).toEqual([
    { channel: 'default', count: 2 },
    { channel: 'news', count: 2 },
    { channel: 'sport', count: 1 },
  ])
  expect(await listChannels(ctx, { limit: 1 })).toEqual([{ channel: 'default', count: 2 }])
})

it('lists the names of tags once each, by prefix and by page', async () => {
  const app = await createTestApp(store)
  expect(await listTags(app)).toEqual([])
  await addTags(app, { userId: 'u1', tags: ['vip', 'vegan', 'ünder', 'a'] })
  await addValueTag(app, { userId: 'u2', tag: 'vip', value: 'gold' })
  expect(await listTags(app)).toEqual(['a', 'vegan', 'vip', 'ünder'])
  expect(await listTags(app, { prefix: 'v' })).toEqual(['vegan', 'vip'])
  expect(await listTags(app, { prefix: '%' })).toEqual([])
  expect(await listTags(app, { limit: 2 })).toEqual(['a', 'vegan'])
  expect(await listTags(app, { after: 'vegan', limit: 2 })).toEqual(['vip', 'ünder'])
  expect(await listTags(ctx)).toEqual(['city', 'vip'])
})
