import { describe, expect, it } from 'vitest'
import { FaultList } from './fault-list.ts'
import type { FaultRule } from './fault-rule.ts'

function statuses(rules: FaultRule[], tokens: (string | undefined)[]): (number | undefined)[] {
  const list = new FaultList({ fcm: rules })
  return tokens.map((token) => list.find('fcm', token)?.status)
}
const any = (count: number) => Array.from({ length: count }, () => undefined)

describe('a list of faults', () => {
  it('takes the first rule that matches', () => {
    expect(statuses([{ match: { token: 'a' }, status: 404 }, { status: 500 }], ['a', 'b'])).toEqual([404, 500])
  })

  it('counts every nth, the first n and those after n', () => {
    expect(statuses([{ match: { every: 3 }, status: 500 }], any(7))).toEqual([
      ...any(2),
      500,
      ...any(2),
      500,
      undefined,
    ])
    expect(statuses([{ match: { first: 2 }, status: 500 }], any(4))).toEqual([500, 500, ...any(2)])
    expect(statuses([{ match: { after: 2 }, status: 500 }], any(4))).toEqual([...any(2), 500, 500])
    expect(statuses([{ match: { after: 1, first: 2, every: 2 }, status: 500 }], any(6))).toEqual([
      ...any(2),
      500,
      ...any(3),
    ])
  })

  it('counts only requests of its token', () => {
    expect(statuses([{ match: { token: 'a', every: 2 }, status: 500 }], ['a', 'b', 'a'])).toEqual([...any(2), 500])
  })

  it('knows a token by its id and a subscription by its JSON', () => {
    const list = new FaultList()
    list.set('fcm', [{ match: { token: 'phone-1' }, status: 500 }])
    expect(list.find('fcm', 'a long token', 'phone-1')?.status).toBe(500)
    list.set('webpush', [{ match: { token: '{"endpoint":"https://x/1","keys":{}}' }, status: 500 }])
    expect(list.find('webpush', 'https://x/1')?.status).toBe(500)
    list.set('webpush', [{ match: { token: '{nonsense' }, status: 500 }])
    expect(list.find('webpush', 'https://x/1')).toBeUndefined()
  })

  it('lets a quota through in each second', () => {
    let ms = 0
    const list = new FaultList({ fcm: [{ match: { perSecond: 2 }, status: 429 }] }, () => ms)
    const next = () => list.find('fcm')?.status
    expect([next(), next(), next()]).toEqual([undefined, undefined, 429])
    ms = 1000
    expect([next(), next(), next()]).toEqual([undefined, undefined, 429])
  })

  it('counts anew when set, keeps providers apart and can be cleared', () => {
    const list = new FaultList()
    list.set('fcm', [{ match: { first: 1 }, status: 500 }])
    expect(list.find('apns')).toBeUndefined()
    expect(list.find('fcm')?.status).toBe(500)
    list.set('fcm', [{ match: { first: 1 }, status: 503 }])
    expect(list.list()).toEqual({ fcm: [{ match: { first: 1 }, status: 503 }] })
    expect(list.find('fcm')?.status).toBe(503)
    list.set('fcm', [{ status: 500 }])
    list.clear()
    expect(list.find('fcm')).toBeUndefined()
    expect(list.list()).toEqual({})
  })
})
