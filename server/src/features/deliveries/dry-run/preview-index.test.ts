import { createTestApp } from '@peyk/test/database/test-store.ts'
import { effortLevel } from '@peyk/test/runner/effort.ts'
import { until } from '@peyk/test/runner/until.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Context } from '#base/context.ts'
import { openStore } from '#base/store/store.ts'
import { createLogStore, openTestIndexes } from '../../segments/index/log-store.test-support.ts'
import { anySegment } from '../../segments/segment-arbitraries.test-support.ts'
import { makeWorld, storeWorld } from '../../segments/world.test-support.ts'
import { addCredentials } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'

const at = new Date('2026-11-15T10:00:00.000Z')
const world = makeWorld(53, { people: 60, devices: 150 }, at.getTime())
const { store } = await createLogStore()
const indexes = openTestIndexes(store)
/** Of a process that has no index. */
const bare = openStore((await store.findAddress()) as never, { poolSize: 2, onLost() {} })
afterAll(() => bare.close())
let ctx: Context

beforeAll(async () => {
  ctx = await createTestApp(store, { at: () => at })
  await addCredentials(ctx, 'fcm')
  await storeWorld(ctx, world)
  await until(
    () => indexes.count({ appId: ctx.app.id, conditions: [], atMs: at.getTime() }),
    (counts) => counts !== undefined,
  )
})

it('a dry run gives the same answer with an index of segments and without', async () => {
  const list = vi.spyOn(indexes, 'list')
  await fc.assert(
    fc.asyncProperty(anySegment(world), async (segment) => {
      const preview = (on: Context) =>
        previewSend(on, { sent: { segment, content: 'Hello {{ user.id }}' } as never, product: 'message', to: 'group' })
      expect(await preview(ctx)).toEqual(await preview({ ...ctx, store: bare }))
    }),
    { numRuns: effortLevel === 'usual' ? 30 : 300 },
  )
  const answers = await Promise.all(list.mock.results.map((result) => result.value))
  expect(answers.filter((parts) => parts !== undefined).length).toBeGreaterThan(10)
})
