import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@peyk/test/runner/until.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { openStore } from '#base/store/store.ts'
import { PreviewGate } from './preview-gate.ts'
import { previewSend } from './preview-send.ts'

/** Reads that end when they are told to, in the order in which they began. */
function openGate(waitMs: number) {
  const gate = new PreviewGate({ slots: 2, waitMs, retryMs: 1 })
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const pass = (appId: number, name: string) =>
    gate.pass(appId, async () => {
      began.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  return { began, pass, end: (name: string) => ends.get(name)?.() }
}

it('two read at the same time, and apps take turns behind them', async () => {
  const { began, pass, end } = openGate(60_000)
  const all = [pass(1, 'a1'), pass(1, 'a2'), pass(1, 'a3'), pass(1, 'a4'), pass(2, 'b1')]
  expect(began).toEqual(['a1', 'a2'])
  end('a1')
  await until(
    () => began.length,
    (count) => count === 3,
  )
  end('a2')
  await until(
    () => began.length,
    (count) => count === 4,
  )
  expect(began).toEqual(['a1', 'a2', 'a3', 'b1'])
  for (const name of ['a3', 'b1']) end(name)
  await until(
    () => began.length,
    (count) => count === 5,
  )
  end('a4')
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
})

it('whoever waits too long is told when to come again, and takes no slot', async () => {
  const { began, pass, end } = openGate(20)
  const first = [pass(1, 'a1'), pass(1, 'a2')]
  await expect(pass(2, 'late')).rejects.toMatchObject({ code: 'store-busy', retryAfterSeconds: 1 })
  for (const name of ['a1', 'a2']) end(name)
  await Promise.all(first)
  const next = pass(2, 'next')
  end('next')
  expect(await next).toBe('next')
  expect(began).toEqual(['a1', 'a2', 'next'])
})

it('a read that fails gives its slot to the next', async () => {
  const gate = new PreviewGate({ slots: 1, waitMs: 60_000, retryMs: 1 })
  const failing = gate.pass(1, async () => {
    await sleep(1)
    throw new Error('no')
  })
  const next = gate.pass(1, async () => 'read')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('read')
})

it('a read for which no slot is free elsewhere is repeated, until it has waited too long', async () => {
  const gate = new PreviewGate({ slots: 1, waitMs: 60_000, retryMs: 1 })
  const results = [undefined, undefined, 'read']
  expect(await gate.pass(1, async () => results.shift())).toBe('read')
  const hasty = new PreviewGate({ slots: 1, waitMs: 5, retryMs: 1 })
  await expect(hasty.pass(1, async () => undefined)).rejects.toMatchObject({ code: 'store-busy' })
  expect(await hasty.pass(1, async () => 'next')).toBe('next')
})

it('the third dry run of a large app gets 503 with Retry-After, whichever process it comes to', async () => {
  const { store, ctx, call } = await createTestServer()
  const otherProcess = openStore((await store.findAddress()) as never, { poolSize: 2, onLost() {} })
  afterAll(() => otherProcess.close())
  await store.query(sql`
    with made as (
      insert into users (app_id, user_id) select ${ctx.app.id}, 'user-' || n from generate_series(1, 20001) n returning user_no
    )
    insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type)
    select ${ctx.app.id}, user_no, user_no, past, past, past, past, false, gen_random_uuid(), 'android'
    from made cross join (select now() - interval '1 day' as past) t`)
  const dryRun = (sent: object) => call('POST', '/api/push/byQuery?dryRun=true', { content: 'Hello', ...sent })
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = store.transaction(async (tx) => {
    await tx.query(sql`lock table installation_details in access exclusive mode`)
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const two = [dryRun({ target: {} }), dryRun({ target: { deviceType: 'android' } })]
  await until(
    () => store.query(sql`select 1 from pg_locks where not granted and relation = 'installation_details'::regclass`),
    (rows) => rows.length >= 2,
  )
  const sent = { target: {}, content: 'Hello' } as never
  const elsewhere = previewSend({ ...ctx, store: otherProcess }, { sent, product: 'message', to: 'group' })
  const [third] = await Promise.all([
    dryRun({ target: {} }),
    expect(elsewhere).rejects.toMatchObject({ code: 'store-busy' }),
  ])
  expect(third).toMatchObject({ status: 503, body: { error: { code: 'store-busy' } } })
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  held.resolve()
  await holding
  expect((await Promise.all(two)).map(({ status, body }) => [status, body.count])).toEqual([
    [200, 20_001],
    [200, 20_001],
  ])
})
