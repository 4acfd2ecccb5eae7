import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../testing/show.test-support.tsx'
import { TimeChart } from './TimeChart.tsx'

const chart = (
  <TimeChart
    label="Visits"
    days={['2026-11-17', '2026-11-18', '2026-11-19']}
    series={[
      { key: 'android', label: 'Android', color: 'green', values: [1200, 30, 7] },
      { key: 'ios', label: 'iOS', color: 'blue', values: [4, 5, 0] },
    ]}
    earlier={[1000, 20, 6]}
    isLastOpen
  />
)

const readTable = () =>
  within(screen.getByRole('table', { name: 'Visits' }))
    .getAllByRole<HTMLTableRowElement>('row')
    .map(({ cells }) => [...cells].map(({ textContent }) => textContent))

it('who does not see the drawing is told what it is of, and reads its numbers in a table', async () => {
  await show(chart)
  expect(screen.getByRole('img', { name: 'Visits. Arrow keys move through its points.' })).toBeTruthy()
  expect(readTable()).toEqual([
    ['Day', 'Android', 'iOS', 'Before'],
    ['Nov 17', '1,200', '4', '1,000'],
    ['Nov 18', '30', '5', '20'],
    ['Nov 19', '7', '0', '6'],
  ])
})

it('the arrow keys go through its days, which are read with their sum; the last one is not over', async () => {
  const { user } = await show(chart)
  await user.tab()
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('status').textContent).toBe('Nov 19 · so farAndroid7iOS0Total7Before6')
  await user.keyboard('{ArrowLeft}')
  expect(screen.getByRole('status').textContent).toBe('Nov 18Android30iOS5Total35Before20')
  await user.keyboard('{Home}{ArrowLeft}')
  expect(screen.getByRole('status').textContent).toMatch(/^Nov 17Android1,200/)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('status')).toBeNull()
})

it('the table takes the place of the drawing, and gives it back', async () => {
  const { user } = await show(chart)
  await user.click(screen.getByRole('button', { name: 'Visits: Show as a table' }))
  expect(screen.queryByRole('img', { name: /^Visits/ })).toBeNull()
  expect(readTable()).toHaveLength(4)
  await user.click(screen.getByRole('button', { name: 'Visits: Show as a chart' }))
  expect(screen.getByRole('img', { name: /^Visits/ })).toBeTruthy()
})
