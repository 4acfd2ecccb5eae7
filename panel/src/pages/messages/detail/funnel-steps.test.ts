import { expect, it } from 'vitest'
import { openShare } from '../../../parts/numbers/measures.ts'
import { funnelSteps } from './funnel-steps.ts'

const none = { queued: 0, sent: 0, delivered: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, ended: 0 }

it('counts a pressed button as an opening, as lists and cards do', () => {
  const states = { ...none, sent: 50, delivered: 40, shown: 30, opened: 6, acted: 4, dismissed: 2 }
  const steps = funnelSteps({ count: 100, states })
  expect(steps.map(({ key, count, share }) => [key, count, share])).toEqual([
    ['accepted', 100, undefined],
    ['sent', 50, 0.5],
    ['delivered', 40, 0.8],
    ['unconfirmed', 10, 0.2],
    ['shown', 30, 0.75],
    ['opened', 10, 0.25],
    ['acted', 4, 0.4],
    ['dismissed', 2, 0.05],
  ])
  expect(steps.find(({ key }) => key === 'opened')?.share).toBe(openShare(states))
})

it('names what was sent and not confirmed, where there is any', () => {
  const unconfirmed = (sent: number, delivered: number) =>
    funnelSteps({ count: 442, states: { ...none, sent, delivered } }).find(({ key }) => key === 'unconfirmed')
  expect(unconfirmed(442, 4)).toMatchObject({ count: 438, share: 438 / 442, isSide: true })
  expect(unconfirmed(442, 442)).toBeUndefined()
})

it('has no shares of nothing', () => {
  expect(funnelSteps({ count: 0, states: none }).every(({ share }) => share === undefined)).toBe(true)
})
