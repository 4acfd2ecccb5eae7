import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { applySubscriptionChanges } from './apply-subscription-changes.ts'

const nothing = { appId: 1, installationNo: 7, join: [], leave: [], joinEvents: [], leaveEvents: [] }
const stored = { appId: 1, installationNo: 7, channels: ['public/a'], events: [] }

describe('subscriptions', () => {
  it('are joined and left in order, and written once', () => {
    const { answers, changed } = applySubscriptionChanges(
      [stored],
      [
        { ...nothing, join: ['b', 'public/c'] },
        { ...nothing, leave: ['b', 'never'], joinEvents: ['typing/+'] },
      ],
    )
    expect(answers).toEqual([
      { refused: [], refusedEvents: [] },
      { refused: [], refusedEvents: [] },
    ])
    expect(changed).toEqual([{ ...stored, channels: ['public/a', 'public/c'], events: ['typing/+'] }])
  })

  it('that are there already change nothing', () => {
    expect(applySubscriptionChanges([stored], [{ ...nothing, join: ['public/a'], leave: ['x'] }]).changed).toEqual([])
  })

  it('are bounded', () => {
    const join = Array.from({ length: limits.channelsPerInstallation + 1 }, (_, index) => `c${index}`)
    const { answers, changed } = applySubscriptionChanges([stored], [{ ...nothing, join: [...join, 'public/a'] }])
    expect(answers[0]?.refused).toEqual(join.slice(limits.channelsPerInstallation - 1))
    expect(changed[0]?.channels).toHaveLength(limits.channelsPerInstallation)
  })

  it('need an installation', () => {
    expect(applySubscriptionChanges([], [nothing]).answers).toEqual([undefined])
  })
})
