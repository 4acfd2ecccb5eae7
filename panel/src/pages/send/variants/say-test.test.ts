import { expect, it } from 'vitest'
import { en } from '#texts/en.ts'
import { fa } from '#texts/fa.ts'
import { createFormat } from '#texts/format.ts'
import { sayTest } from './say-test.ts'

const winner = { by: 'opened', after: '4h', testShare: 20 }

it('says in a line who gets what', () => {
  const say = (run: Parameters<typeof sayTest>[0], by?: typeof winner) =>
    sayTest(run, by, en.variants.plan, createFormat('en'))
  expect(say({})).toBeUndefined()
  expect(say({ variants: { A: 1450, B: 1449, control: 322 } })).toBe(
    'Test: A: 1,450, B: 1,449, and 322 in the control group get nothing.',
  )
  expect(say({ variants: { A: 145, B: 144 }, test: { tested: 289, others: 1156 } }, winner)).toBe(
    'Test: A: 145, B: 144, and the other 1,156 get the winner after 4 hours.',
  )
  expect(say({ variants: { default: 900, control: 100 } })).toBe(
    'Test: Message: 900 and 100 in the control group get nothing.',
  )
})

it('says it in Persian', () => {
  expect(sayTest({ variants: { A: 10, B: 10, control: 2 } }, undefined, fa.variants.plan, createFormat('fa'))).toBe(
    'تست: \u2068A\u2069: ۱۰،‏ \u2068B\u2069: ۱۰، و ۲ دستگاه گروه کنترل چیزی نمی‌گیرند.',
  )
})
