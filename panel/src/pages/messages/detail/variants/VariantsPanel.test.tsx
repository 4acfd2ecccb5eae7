import { type MessageDetail, messageVariants, panelMessage } from '@peyk/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { exampleOf } from '#testing/service.test-support.ts'
import { show } from '#testing/show.test-support.tsx'
import type { Results } from './say-results.ts'
import { VariantsPanel } from './VariantsPanel.tsx'

const results = exampleOf(messageVariants)
const [a, b] = results.variants as [Results['variants'][number], Results['variants'][number]]
const message: MessageDetail = {
  ...exampleOf(panelMessage),
  variants: [
    { name: 'A', share: 50, notification: { title: 'Sale' } },
    { name: 'B', share: 50, notification: { title: 'Half price' } },
  ],
}

const open = (changes: Partial<Results> = {}, language: 'en' | 'fa' = 'en') =>
  show(<VariantsPanel message={{ ...message, test: { ...results, ...changes } }} />, { language })

const undecided = {
  ...results.winner,
  state: 'waiting',
  decideAt: Date.parse('2090-11-24T05:30:00Z'),
} as NonNullable<Results['winner']>

it('the winner is the heading, with how it was found, and what the others did', async () => {
  await open()
  expect(screen.getByRole('heading', { name: 'B won' })).toBeTruthy()
  expect(screen.getByText(/^It had the highest open rate when the test ended/)).toBeTruthy()
  expect(screen.getByText('8,008 other users got it; 10.9% opened it.')).toBeTruthy()
  const [first, second, control] = within(screen.getAllByRole('list')[0] as HTMLElement).getAllByRole('listitem')
  expect(first?.textContent).not.toContain('Winner')
  expect(second?.textContent).toContain('Winner')
  expect(second?.textContent).toContain('Half price')
  expect(second?.textContent).toContain('112 of 1,000 users opened it')
  expect(control?.textContent).toContain('1,153 users got nothing')
})

it('a rate is said with its interval to those who do not see the bar', async () => {
  await open()
  expect(screen.getByRole('img', { name: '8%, 95% interval from 6.5% to 9.9%' })).toBeTruthy()
  expect(screen.getByRole('img', { name: '11.2%, 95% interval from 9.4% to 13.3%' })).toBeTruthy()
})

it('the table has each variant, their sum, and the control group, which was sent nothing', async () => {
  await open()
  const table = screen.getByRole('table', { name: 'Users by variant' })
  const rows = within(table)
    .getAllByRole<HTMLTableRowElement>('row')
    .map(({ cells }) => [...cells].map(({ textContent }) => textContent))
  expect(rows).toEqual([
    ['Variant', 'Assigned', 'Sent', 'Shown', 'Opened', 'Clicked', 'Dismissed'],
    ['A', '1,040', '1,000', '930', '80', '12', '201'],
    ['B', '1,035', '1,000', '928', '112', '20', '188'],
    ['All', '2,075', '2,000', '1,858', '192', '32', '389'],
    ['Control group', '1,153', '—', '—', '—', '—', '—'],
  ])
})

it('before the winner is chosen nobody has won, and the page says when that will be', async () => {
  await open({
    winner: undecided,
    variants: [
      { ...a, chanceOfBest: 0.4 },
      { ...b, chanceOfBest: 0.6 },
    ],
  })
  expect(screen.getByRole('heading', { name: 'No clear winner yet' })).toBeTruthy()
  expect(screen.getByText(/^The winner will be chosen in 6\d years \(Nov 24, 2090, 09:00\)\.$/)).toBeTruthy()
  expect(screen.queryByText('Winner')).toBeNull()
})
