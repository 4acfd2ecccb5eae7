import type { BodyOf, panelMoments } from '@peyk/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { service } from '#testing/service.test-support.ts'
import { compose } from '../composing.test-support.tsx'
import { noRepeat } from '../draft/compose-repeat.ts'
import { WhenField } from './WhenField.tsx'

/** A Friday, 09:00 in Tehran. */
const friday = '2090-11-24T05:30:00.000Z'
const later = { isLater: true, at: friday }
const hourMs = 3_600_000

function answerMoments(next: number[]): void {
  service.answer<typeof panelMoments>('POST', '/send/moments', { next })
}

const lastQuestion = () => service.asked('POST', '/send/moments').at(-1)?.body as BodyOf<typeof panelMoments>

it('a message goes at once unless another time is chosen', async () => {
  const { draft } = await compose(<WhenField />)
  expect(screen.getByRole('radio', { name: 'Now' })).toHaveProperty('checked', true)
  expect(screen.queryByLabelText('Date and time')).toBeNull()
  expect(screen.queryByLabelText('Repeat')).toBeNull()
  expect(draft().when.isLater).toBe(false)
})

it('later begins with a full hour that is at least an hour ahead, in a named time zone', async () => {
  const { user, draft } = await compose(<WhenField />)
  await user.click(screen.getByRole('radio', { name: 'Later' }))
  const { at, isLocal } = draft().when
  const ahead = Date.parse(at) - Date.now()
  expect(ahead).toBeGreaterThan(hourMs - 60_000)
  expect(ahead).toBeLessThanOrEqual(2 * hourMs)
  expect(at).toMatch(/:00:00\.000Z$/)
  expect(isLocal).toBe(false)
  expect(screen.getByText(/in your time zone \(Asia\/Tehran\)$/)).toBeTruthy()
})

it('a chosen time stays when somebody looks at the other choices, by the keyboard', async () => {
  const { user, draft } = await compose(<WhenField />, { when: later })
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2090-12-01T18:00' } })
  screen.getByRole('radio', { name: 'Later' }).focus()
  await user.keyboard('{ArrowUp}')
  expect(draft().when).toMatchObject({ isLater: false, at: '2090-12-01T14:30:00.000Z' })
  await user.keyboard('{ArrowDown}')
  expect(draft().when).toMatchObject({ isLater: true, at: '2090-12-01T14:30:00.000Z' })
})

it('with the local time of users, it asks what becomes of those whose time has passed', async () => {
  const { user, draft } = await compose(<WhenField />, { when: later })
  await user.click(screen.getByRole('radio', { name: /^At each user’s local time/ }))
  await user.click(screen.getByRole('combobox', { name: 'Where that time has already passed' }))
  await user.click(await screen.findByRole('option', { name: 'Leave those users out' }))
  expect(draft().when).toEqual({ isLater: true, at: friday, isLocal: true, late: 'skip' })
  expect(screen.queryByText(/in your time zone/i)).toBeNull()
})

it('a weekly message begins with the day of its first time, and says when it goes first', async () => {
  answerMoments([Date.parse(friday), Date.parse(friday) + 3 * 24 * hourMs])
  const { user, draft } = await compose(<WhenField />, { when: later })
  await user.selectOptions(screen.getByLabelText('Repeat'), 'Every week')
  expect(screen.getByRole('checkbox', { name: 'Friday' })).toHaveProperty('checked', true)
  await user.click(screen.getByRole('checkbox', { name: 'Monday' }))
  expect(draft().repeat.days).toEqual(['MO', 'FR'])
  const list = await screen.findByRole('list')
  await waitFor(() => expect(lastQuestion().repeat.rule).toBe('FREQ=WEEKLY;BYDAY=MO,FR'))
  expect(lastQuestion()).toEqual({
    repeat: { rule: 'FREQ=WEEKLY;BYDAY=MO,FR', zone: 'Asia/Tehran' },
    sendAt: Date.parse(friday),
  })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Friday, November 24, 09:00', 'Monday, November 27, 09:00'])
})

it('in Persian, the week begins on Saturday', async () => {
  answerMoments([])
  await compose(<WhenField />, { when: later, repeat: { ...noRepeat, kind: 'weekly' } }, { language: 'fa' })
  const days = screen.getAllByRole('checkbox').map((box) => box.getAttribute('value'))
  expect(days).toEqual(['SA', 'SU', 'MO', 'TU', 'WE', 'TH', 'FR'])
})

it('a message that repeats ends after a number of times, or on a date', async () => {
  answerMoments([])
  const { user, fill, draft } = await compose(<WhenField />, { when: later, repeat: { ...noRepeat, kind: 'daily' } })
  await user.selectOptions(screen.getByLabelText('Ends'), 'After a number of times')
  await fill(screen.getByRole('textbox', { name: 'Times' }), '4')
  await waitFor(() => expect(lastQuestion().repeat).toEqual({ rule: 'FREQ=DAILY', zone: 'Asia/Tehran', count: 4 }))
  await user.selectOptions(screen.getByLabelText('Ends'), 'On a date')
  expect(screen.queryByRole('textbox', { name: 'Times' })).toBeNull()
  fireEvent.change(screen.getByLabelText('Last date and time'), { target: { value: '2090-12-31T09:00' } })
  expect(draft().repeat).toMatchObject({ end: 'until', until: '2090-12-31T05:30:00.000Z' })
})
