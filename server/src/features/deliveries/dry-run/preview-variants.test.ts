import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addCredentials, addDevice, tokens } from './preview.test-support.ts'
import type { ReachGroup } from './preview-audience.ts'
import { previewSend } from './preview-send.ts'
import { divideByShare } from './preview-variants.ts'

const store = await createTestStore()

const sale = {
  content: 'Hello',
  notification: { title: 'Plain' },
  variants: [
    { name: 'A', share: 75, notification: { title: 'Sale' } },
    { name: 'B', share: 25, notification: { title: 'Now' }, contents: { fa: { notification: { title: 'اکنون' } } } },
  ],
}
const winner = { by: 'opened', after: '4h', testShare: 20 }

async function createApp(devices: number) {
  const ctx = await createTestApp(store)
  await addCredentials(ctx, 'fcm')
  for (let index = 0; index < devices; index++)
    await addDevice(ctx, `user-${index}`, { token: tokens.fcm(`${index}`), language: index % 2 ? 'fa' : 'en' })
  return ctx
}

const preview = (ctx: Awaited<ReturnType<typeof createApp>>, more: object) =>
  previewSend(ctx, { sent: { target: {}, ...sale, ...more }, product: 'message', to: 'group' })

describe('the dry run of a test', () => {
  it('says how many are to be expected in which variant and in control, with a sample of each', async () => {
    const ctx = await createApp(40)
    const { count, variants, test, languages, samples } = await preview(ctx, { control: 20 })
    expect([count, variants, test]).toEqual([40, { A: 24, B: 8, control: 8 }, undefined])
    expect(languages).toEqual({ fa: 4, default: 28 })
    const shown = samples.map(({ variant, language, payload }) => {
      const text = JSON.stringify(payload)
      return [variant, language, ['Sale', 'Now', 'اکنون'].find((title) => text.includes(title))]
    })
    expect(shown.toSorted()).toEqual([
      ['A', 'default', 'Sale'],
      ['B', 'default', 'Now'],
      ['B', 'fa', 'اکنون'],
    ])
  })

  it('says how many are tested where there is a winner', async () => {
    const { variants, test } = await preview(await createApp(40), { winner })
    expect([variants, test]).toEqual([
      { A: 6, B: 2 },
      { tested: 8, others: 32 },
    ])
  })

  it('shows every variant also to one installation alone, and names it where it is refused', async () => {
    const long = `{{ user.none }}${'x'.repeat(5_000)}`
    const variants = [
      { name: 'A', share: 50 },
      { name: 'B', share: 50, content: long },
    ]
    const { samples, faults, faultCodes } = await preview(await createApp(1), { variants })
    expect(samples.map(({ variant }) => variant)).toEqual(['A', 'B'])
    expect(faults[0]).toMatch(/^A sample of variant B for fcm on android would be refused/)
    expect(faultCodes[0]).toMatchObject({ code: 'too-large', variant: 'B' })
  })

  it('says nothing of it for another message', async () => {
    const answer = await preview(await createApp(1), { variants: undefined })
    expect(answer).not.toHaveProperty('variants')
    expect(answer).not.toHaveProperty('test')
  })
})

describe('groups divided by share', () => {
  it('keep their counts, and come within one of each share together', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 90 }), (all, control) => {
        const groups = all.map((count, index) => ({ count, is_member: true, first_no: index }) as ReachGroup)
        const body = { ...sale, ...(control > 0 && { control }) }
        const divided = divideByShare(groups, { body } as never)
        const sum = all.reduce((total, count) => total + count, 0)
        for (const [index, count] of all.entries()) {
          const own = divided.filter(({ first_no }) => first_no === index)
          expect(own.reduce((total, each) => total + each.count, 0)).toBe(count)
          expect(own.every((each) => each.count >= 0)).toBe(true)
        }
        const inControl = divided.filter(({ place }) => place?.kind === 'control')
        const got = inControl.reduce((total, { count }) => total + count, 0)
        expect(Math.abs(got - (sum * control) / 100)).toBeLessThan(2)
      }),
    )
  })
})
