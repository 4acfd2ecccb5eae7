import { expect, it } from 'vitest'
import { openShare } from '#parts/numbers/measures.ts'
import { funnelSteps } from './funnel-steps.ts'

const none = { queued: 0, sent: 0, delivered: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, ended: 0 }

it('counts a pressed button as an opening, as lists and cards do', () => {
  const states = { ...none, sent: 50, delivered: 40, shown: 30, opened: 6, acted: 4, dismissed: 2 }
  const steps = funnelSteps({ count: 100, states })
  expect(steps.map(({ key, count, of }) => [key, count, of?.base, of?.share, of?.missing])).toEqual([
    ['accepted', 100, undefined, undefined, undefined],
    ['sent', 50, 'accepted', 0.5, 50],
    ['delivered', 40, 'sent', 0.8, 10],
    ['shown', 30, 'delivered', 0.75, 10],
    ['opened', 10, 'delivered', 0.25, 30],
  ])
  expect(steps.find(({ key }) => key === 'opened')?.of?.share).toBe(openShare(states))
})

it('knows how far any came', () => {
  const last = (states: object) =>
    funnelSteps({ count: 9, states: { ...none, ...states } }).find(({ isLast }) => isLast)
  expect(last({})?.key).toBe('accepted')
  expect(last({ sent: 9, delivered: 4 })?.key).toBe('delivered')
  expect(last({ sent: 9, delivered: 4, shown: 4, acted: 1 })?.key).toBe('opened')
})

it('has no shares of nothing', () => {
  expect(funnelSteps({ count: 0, states: none }).every(({ of }) => of?.share === undefined)).toBe(true)
})
