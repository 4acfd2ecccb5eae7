import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { checker } from './check.ts'
import { JsonObject, Name, UserId } from './words.ts'

const Thing = Type.Object({
  user: Type.Optional(UserId),
  name: Type.Optional(Name('a name')),
  ttl: Type.Optional(Type.Number({ minimum: 0, expected: 'a number of seconds' })),
  silent: Type.Optional(Type.Boolean()),
  data: Type.Optional(JsonObject),
  media: Type.Optional(Type.Union([Type.Literal('sms'), Type.Literal('call')])),
  time: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  notification: Type.Optional(
    Type.Object({ title: Type.String(), actions: Type.Optional(Type.Array(Type.Object({ id: Type.String() }))) }),
  ),
})
const check = checker(Thing)
const checkedValue = (input: unknown) => (check(input) as { value: unknown }).value
const messageOf = (input: unknown) => check(input).fault?.message

describe('a checked body', () => {
  it.each([
    [{ ttl: '30' }, { ttl: 30 }],
    [{ silent: 'true' }, { silent: true }],
    [{ silent: 0 }, { silent: false }],
    [{ user: 42 }, { user: '42' }],
    [{ ttl: null, silent: null }, {}],
    [
      { silent: '1', data: { a: '1', b: null } },
      { silent: true, data: { a: '1', b: null } },
    ],
    [
      { silent: '1', data: '{"a":"1"}' },
      { silent: true, data: { a: '1' } },
    ],
    [
      { silent: '1', time: '5' },
      { silent: true, time: '5' },
    ],
    [{ unknown: 'kept out of the way' }, { unknown: 'kept out of the way' }],
  ])('%j becomes %j', (input, expected) => {
    expect(checkedValue(input)).toEqual(expected)
  })

  it.each([
    [{ ttl: 'soon' }, '"ttl": expected a number of seconds, got "soon".'],
    [{ ttl: -1 }, '"ttl": expected a number of seconds, got -1.'],
    [{ silent: 'perhaps' }, '"silent": expected true or false, got "perhaps".'],
    [{ notification: {} }, '"notification.title" is required.'],
    [{ notification: { title: 'x', actions: [{ id: 'a' }, {}] } }, '"notification.actions[1].id" is required.'],
    [{ media: 'fax' }, '"media": expected one of "sms", "call", got "fax".'],
    [
      { user: 'a b' },
      '"user": expected a user id of 1 to 64 characters without white space and without / \\ + * #, got "a b".',
    ],
    [
      { user: 2 ** 53 },
      '"user": expected a user id of 1 to 64 characters without white space and without / \\ + * #, got 9007199254740992.',
    ],
    [{ data: [] }, '"data": expected a JSON object, got [].'],
    ['text', 'Expected an object, got "text".'],
    [null, 'Expected an object, got null.'],
  ])('%j is refused: %s', (input, message) => {
    expect(messageOf(input)).toBe(message)
  })

  it('refuses names that are too long for an index, in bytes', () => {
    expect(check({ name: 'é'.repeat(127) }).fault).toBeUndefined()
    expect(messageOf({ name: 'é'.repeat(128) })).toContain('a name')
  })
})
