import { expect, it } from 'vitest'
import { PageToasts } from './page-toasts.ts'

it('hides what belongs to the page that is left, and keeps what was said on the way to the next', () => {
  const toasts = new PageToasts()
  toasts.add('saved')
  toasts.add('sent', { isOfNextPage: true })
  expect(toasts.leavePage()).toEqual(['saved'])
  toasts.add('paused')
  expect(toasts.leavePage()).toEqual(['sent', 'paused'])
  expect(toasts.leavePage()).toEqual([])
})
