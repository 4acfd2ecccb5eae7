import type { AnyNotification } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { RequestError } from '#base/errors.ts'
import { checkTest } from './check-test.ts'

const a = { name: 'A', share: 50, content: 'A' }
const b = { name: 'B', share: 50, content: 'B' }
const variants = [a, b]
const winner = { by: 'opened', after: '4h', testShare: 20 }
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `V${index}` }))

function faultOf(sent: AnyNotification): unknown {
  try {
    checkTest({ content: 'Hello', notification: { title: 'Sale' }, ...sent }, 'message')
    return undefined
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    expect(error.message).toContain(`"${error.details?.field}"`)
    return error.details?.field
  }
}

describe('a test', () => {
  it.each<[string, AnyNotification]>([
    ['two variants', { variants }],
    ['five of them, divided evenly', { variants: many(5) }],
    ['thirds', { variants: ['A', 'B', 'C'].map((name) => ({ name, share: 33.3 })) }],
    ['a control group beside them', { variants, control: 90 }],
    ['a control group alone, with a goal', { control: 10, goal: { event: 'Purchase', within: '7d' } }],
    ['no control group', { control: 0 }],
    ['a winner', { variants, winner: { ...winner, otherwise: 'B' } }],
    ['a winner just before the end', { variants, winner: { ...winner, after: '59s' }, ttl: 60 }],
    ['a winner of a message for later', { variants, winner, sendAt: '2026-12-01T09:00+03:30' }],
    [
      'texts of every kind',
      { variants: [{ ...a, notification: { title: 'A' }, contents: { fa: { content: 'آ' } } }, b] },
    ],
  ])('may have %s', (_, sent) => {
    expect(faultOf(sent)).toBeUndefined()
  })

  it.each<[string, AnyNotification, string]>([
    ['no variant', { variants: [] }, 'variants'],
    ['one variant', { variants: [a] }, 'variants'],
    ['six variants', { variants: many(6) }, 'variants'],
    ['the same name twice', { variants: [a, { ...b, name: 'A' }] }, 'variants[1].name'],
    ['the name of the control group', { variants: [a, { ...b, name: 'control' }] }, 'variants[1].name'],
    ['the name of the plain texts', { variants: [a, { ...b, name: 'default' }] }, 'variants[1].name'],
    ['shares below 100', { variants: [a, { ...b, share: 40 }] }, 'variants'],
    ['shares above 100', { variants: [a, { ...b, share: 60 }] }, 'variants'],
    ['a share for one only', { variants: [a, { name: 'B' }] }, 'variants[1].share'],
    ['a field that cannot differ', { variants: [a, { ...b, ttl: 5 } as typeof b] }, 'variants[1].ttl'],
    [
      'a part of the notification that cannot differ',
      { variants: [a, { ...b, notification: { groupId: 'x' } as never }] },
      'variants[1].notification.groupId',
    ],
    [
      'an SMS that the message has not',
      { variants: [a, { ...b, fallback: { content: 'x' } }] },
      'variants[1].fallback',
    ],
    [
      'a language that is none',
      { variants: [a, { ...b, contents: { xx: { content: 'x' } } }] },
      'variants[1].contents.xx',
    ],
    ['a winner without variants', { winner }, 'winner'],
    ['a winner of a control group', { control: 10, winner }, 'winner'],
    ['an unknown variant otherwise', { variants, winner: { ...winner, otherwise: 'C' } }, 'winner.otherwise'],
    ['a winner after the end', { variants, winner: { ...winner, after: '60s' }, ttl: 60 }, 'winner.after'],
    ['a winner after the usual end', { variants, winner: { ...winner, after: '30d' } }, 'winner.after'],
    ['a winner of a live message', { variants, winner, live: true }, 'winner'],
    ['a winner at a local time', { variants, winner, sendAt: { local: '2026-12-01T09:00' } as never }, 'winner'],
    ['a goal of nothing', { goal: { event: 'Purchase' } }, 'goal'],
    ['a goal that is too far', { control: 10, goal: { event: 'Purchase', within: '31d' } }, 'goal.within'],
  ])('is refused with %s', (_, sent, field) => {
    expect(faultOf(sent)).toBe(field)
  })
})
