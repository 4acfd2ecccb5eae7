import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { getInstallation } from '../read/get-installation.ts'
import { registerInstallation } from '../register/register-installation.ts'
import { updateDeviceToken } from '../register/update-device-token.ts'
import { updateInstallation } from '../register/update-installation.ts'
import { markUninstalled } from './mark-uninstalled.ts'
import { reportUninstalls } from './report-uninstalls.ts'

const store = await createTestStore()

async function register(ctx: Context, userId: string, deviceToken?: string) {
  const { id } = await registerInstallation(ctx, { deviceType: 'ios', userId, ...(deviceToken && { deviceToken }) })
  const [row] = await store.query<{ installation_no: number }>(
    sql`select installation_no from installations where app_id = ${ctx.app.id} and id = ${id}`,
  )
  return { id, installationNo: row?.installation_no as number }
}

const all = { from: '0', to: String(Date.UTC(2100, 0)) }

describe('uninstalled installations', () => {
  it('are marked, lose their tokens and are reported', async () => {
    const ctx = await createTestApp(store)
    const one = await register(ctx, 'ali', 'T')
    expect(await markUninstalled(ctx, { installations: [one] })).toEqual({ count: 1 })
    const gone = await getInstallation(ctx, { id: one.id })
    expect(gone.uninstalled).toBe(true)
    expect(gone).not.toHaveProperty('deviceToken')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const entry = { time, installationId: one.id, deviceType: 'ios', userId: 'ali' }
    expect(await reportUninstalls(ctx, all)).toEqual({ count: 1, data: [entry] })
  })

  it('are marked once', async () => {
    const ctx = await createTestApp(store)
    const one = await register(ctx, 'ali')
    const counts = await Promise.all(
      Array.from({ length: 5 }, () => markUninstalled(ctx, { installations: [one, one] })),
    )
    expect(counts.map(({ count }) => count).sort()).toEqual([0, 0, 0, 0, 1])
    expect((await reportUninstalls(ctx, all)).count).toBe(1)
  })

  it('are not gone when the token that is gone is an old one', async () => {
    const ctx = await createTestApp(store)
    const one = await register(ctx, 'ali', 'old')
    await updateDeviceToken(ctx, { installationId: one.id, deviceToken: 'new' })
    expect(await markUninstalled(ctx, { installations: [{ ...one, deviceToken: 'old' }] })).toEqual({ count: 0 })
    expect(await markUninstalled(ctx, { installations: [{ ...one, deviceToken: 'new' }] })).toEqual({ count: 1 })
  })

  it('belong to their app', async () => {
    const ctx = await createTestApp(store)
    const one = await register(ctx, 'ali')
    expect(await markUninstalled(await createTestApp(store), { installations: [one] })).toEqual({ count: 0 })
    expect(await markUninstalled(ctx, { installations: [] })).toEqual({ count: 0 })
  })

  it('are a churn with the last one of a user', async () => {
    const ctx = await createTestApp(store)
    const [a1, a2, s1, s2, s3] = [
      await register(ctx, 'ali'),
      await register(ctx, 'ali'),
      await register(ctx, 'sara'),
      await register(ctx, 'sara'),
      await register(ctx, 'sara'),
    ]
    await markUninstalled(ctx, { installations: [a1, s1, s2, s3] })
    const churn = async () => (await reportUninstalls(ctx, { ...all, type: 'churn' })).data.map(({ userId }) => userId)
    expect(await churn()).toEqual(['sara'])
    await markUninstalled(ctx, { installations: [a2] })
    expect(await churn()).toEqual(['ali', 'sara'])
    expect((await reportUninstalls(ctx, { ...all, type: 'uninstall' })).count).toBe(5)
  })

  it('are one churn when a user’s last two are found gone at the same moment', async () => {
    const ctx = await createTestApp(store)
    const pairs = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => [await register(ctx, `u${index}`), await register(ctx, `u${index}`)] as const,
      ),
    )
    await Promise.all(
      pairs.flatMap(([left, right]) => [
        markUninstalled(ctx, { installations: [left] }),
        markUninstalled(ctx, { installations: [right] }),
      ]),
    )
    expect(await reportUninstalls(ctx, { ...all, type: 'churn' })).toMatchObject({ count: 20 })
  })

  it('may come back and leave again', async () => {
    const ctx = await createTestApp(store)
    const one = await register(ctx, 'ali')
    await markUninstalled(ctx, { installations: [one] })
    await updateInstallation(ctx, { id: one.id, body: { deviceToken: 'T' } })
    await markUninstalled(ctx, { installations: [one] })
    expect((await reportUninstalls(ctx, { ...all, type: 'churn' })).count).toBe(2)
  })
})

describe('the uninstall report', () => {
  it('takes its ends in either order, pages, and shows the newest first', async () => {
    let time = Date.UTC(2026, 0, 1)
    const ctx = await createTestApp(store, { at: () => new Date(time) })
    const ids: string[] = []
    for (let day = 0; day < 5; day++) {
      const one = await register(ctx, `u${day}`)
      time = Date.UTC(2026, 0, 1 + day)
      await markUninstalled(ctx, { installations: [one] })
      ids.unshift(one.id)
    }
    const [from, to] = [String(Date.UTC(2026, 0, 2)), String(Date.UTC(2026, 0, 4))]
    const report = await reportUninstalls(ctx, { from, to })
    expect(report).toMatchObject({ count: 3 })
    expect(report.data.map(({ installationId }) => installationId)).toEqual(ids.slice(1, 4))
    expect(report.data[0]?.time).toBe('2026-01-04T00:00:00.000Z')
    expect(await reportUninstalls(ctx, { from: to, to: from })).toEqual(report)
    expect(await reportUninstalls(ctx, { from, to, limit: 1, offset: 1 })).toEqual({
      count: 3,
      data: report.data.slice(1, 2),
    })
    expect(await reportUninstalls(await createTestApp(store), { from, to })).toEqual({ count: 0, data: [] })
  })

  it.each([['yesterday'], ['']])('refuses "%s" as an end', async (from) => {
    await expect(reportUninstalls(await createTestApp(store), { from, to: '0' })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })

  it.each([['-9007199254740992'], ['9007199254740993'], ['1e300'], ['-Infinity']])(
    'takes %s for the end of time',
    async (from) => {
      expect(await reportUninstalls(await createTestApp(store), { from, to: '0' })).toEqual({ count: 0, data: [] })
    },
  )
})
