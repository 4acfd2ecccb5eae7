import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { listenTo, readOutbox } from '@peyk/test/outbox.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Context } from '#base/context.ts'
import { findInstallationNumbers } from '../read/find-installation-numbers.ts'
import { markUninstalled } from '../uninstalls/mark-uninstalled.ts'
import { unregisterInstallation } from '../uninstalls/unregister-installation.ts'
import { registerInstallation } from './register-installation.ts'
import { updateInstallation } from './update-installation.ts'

const store = await createTestStore()
let ctx: Context
beforeEach(async () => {
  ctx = await createTestApp(store)
  await listenTo(ctx)
})

test('a new installation and a new user are told of, each once', async () => {
  const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  expect(await readOutbox(ctx)).toEqual([
    { kind: 'installation.new', body: { installationId: id, deviceType: 'android', userId: 'sara', isGuest: false } },
    { kind: 'user.new', body: { userId: 'sara' } },
  ])
  await registerInstallation(ctx, { id, deviceType: 'android', userId: 'sara' })
  await updateInstallation(ctx, { id, body: { launchCount: 2 } })
  expect(await readOutbox(ctx)).toHaveLength(2)
  const second = await registerInstallation(ctx, { deviceType: 'ios', userId: 'sara' })
  expect((await readOutbox(ctx)).slice(2)).toMatchObject([
    { kind: 'installation.new', body: { installationId: second.id } },
  ])
})

test('a guest is no new user until the login', async () => {
  const { id, userId } = await registerInstallation(ctx, { deviceType: 'web' })
  expect(await readOutbox(ctx)).toMatchObject([{ kind: 'installation.new', body: { userId, isGuest: true } }])
  await updateInstallation(ctx, { id, body: { userId: 'ali', isGuest: false } })
  await updateInstallation(ctx, { id, body: { userId: 'ali', isGuest: false } })
  expect((await readOutbox(ctx)).slice(1)).toEqual([{ kind: 'user.new', body: { userId: 'ali' } }])
})

test('registrations that arrive together are each told of once', async () => {
  await Promise.all(Array.from({ length: 20 }, () => registerInstallation(ctx, { deviceType: 'web', userId: 'sara' })))
  const kinds = (await readOutbox(ctx)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'installation.new')).toHaveLength(20)
  expect(kinds.filter((kind) => kind === 'user.new')).toHaveLength(1)
})

test('an uninstall is told of with whether it was the last of the user', async () => {
  const first = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const last = await registerInstallation(ctx, { deviceType: 'ios', userId: 'sara' })
  const before = (await readOutbox(ctx)).length
  await unregisterInstallation(ctx, { id: first.id })
  await unregisterInstallation(ctx, { id: first.id })
  const [installationNo] = await findInstallationNumbers(ctx, { ids: [last.id], userIds: undefined, limit: 1 })
  await markUninstalled(ctx, { installations: [{ installationNo: installationNo as number }] })
  const about = { userId: 'sara' }
  expect((await readOutbox(ctx)).slice(before)).toEqual([
    {
      kind: 'installation.uninstalled',
      body: { ...about, installationId: first.id, deviceType: 'android', isChurn: false },
    },
    { kind: 'installation.uninstalled', body: { ...about, installationId: last.id, deviceType: 'ios', isChurn: true } },
  ])
})
