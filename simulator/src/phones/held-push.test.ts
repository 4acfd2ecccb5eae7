import { describe, expect, it } from 'vitest'
import { type HeldPush, holdPush, stillValid } from './held-push.ts'

const push = (pushId: string, more: Partial<HeldPush> = {}): HeldPush => ({
  pushId,
  content: {},
  expiresAt: 1_000,
  collapseKey: undefined,
  ...more,
})
const ids = (held: readonly HeldPush[]) => held.map(({ pushId }) => pushId)

describe('what a provider holds for a phone that is away', () => {
  it('is kept in the order of its arrival', () => {
    expect(ids(holdPush([push('a')], push('b'), 'ios'))).toEqual(['a', 'b'])
  })

  it('is replaced by a later push with the same collapse key, and by no other', () => {
    const held = [push('a', { collapseKey: 'x' }), push('b', { collapseKey: 'y' }), push('c')]
    expect(ids(holdPush(held, push('d', { collapseKey: 'x' }), 'web'))).toEqual(['b', 'c', 'd'])
  })

  it('has nothing that was to go now or never', () => {
    expect(ids(holdPush([push('a')], push('b', { expiresAt: null }), 'android'))).toEqual(['a'])
  })

  it('is bounded: FCM throws all away, the others the oldest', () => {
    const full = Array.from({ length: 100 }, (_, index) => push(`${index}`))
    expect(ids(holdPush(full, push('new'), 'android'))).toEqual(['new'])
    expect(ids(holdPush(full, push('new'), 'ios'))).toHaveLength(100)
    expect(ids(holdPush(full, push('new'), 'ios'))[0]).toBe('1')
  })

  it('is not handed over after its time', () => {
    expect(ids(stillValid([push('a', { expiresAt: 5 }), push('b', { expiresAt: 6 })], 5))).toEqual(['b'])
  })
})
