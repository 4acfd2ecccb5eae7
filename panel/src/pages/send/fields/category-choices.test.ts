import { expect, it } from 'vitest'
import { categoryChoices } from './category-choices.ts'

const known = ['news', 'orders']
const choose = (chosen: string, groupCategory?: string, isToGroup = true) =>
  categoryChoices({ chosen, known, groupCategory, isToGroup })

it('is transactional when none is chosen', () => {
  const none = { values: ['', ...known], value: '', unchosen: undefined, hasLimits: false }
  expect(choose('')).toEqual(none)
  expect(choose('transactional')).toEqual(none)
  expect(choose('', 'news', false)).toEqual(none)
  expect(choose('transactional', 'news', false)).toEqual(none)
})

it('is that of sends to groups when none is chosen for one, unless it is said to be transactional', () => {
  const choices = { values: ['', 'transactional', ...known], unchosen: 'news' }
  expect(choose('', 'news')).toEqual({ ...choices, value: '', hasLimits: true })
  expect(choose('transactional', 'news')).toEqual({ ...choices, value: 'transactional', hasLimits: false })
  expect(choose('orders', 'news')).toEqual({ ...choices, value: 'orders', hasLimits: true })
})

it('is offered still when it is gone', () => {
  expect(choose('tips')).toMatchObject({ values: ['', ...known, 'tips'], value: 'tips', hasLimits: true })
})
