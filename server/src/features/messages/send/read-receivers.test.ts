import { describe, expect, it } from 'vitest'
import { allKeys, groupKeys, personalKeys, readReceiverKey, readUsers } from './read-receivers.ts'

describe('who receives a message', () => {
  it('is said by exactly one key', () => {
    expect(readReceiverKey({ user: 'a' }, personalKeys)).toBe('user')
    expect(readReceiverKey({ segment: {}, user: null }, groupKeys)).toBe('segment')
    expect(readReceiverKey({ target: '{}' }, allKeys)).toBe('target')
  })

  it.each([
    [{}, personalKeys, 'Expected exactly one of "user" or "users", got none of them.'],
    [{ user: 'a', users: ['b'] }, personalKeys, 'Expected exactly one of "user" or "users", got "user" and "users".'],
    [{ target: {} }, personalKeys, 'Expected exactly one of "user" or "users", got "target".'],
    [{ user: 'a', segment: {} }, personalKeys, 'Expected exactly one of "user" or "users", got "user" and "segment".'],
    [
      { target: {}, segment: {} },
      groupKeys,
      'Expected exactly one of "target" or "segment", got "target" and "segment".',
    ],
    [{ users: ['a'] }, groupKeys, 'Expected exactly one of "target" or "segment", got "users".'],
    [
      { users: ['a'], target: {}, segment: {} },
      allKeys,
      'Expected exactly one of "user", "users", "target" or "segment", got "users", "target" and "segment".',
    ],
  ])('%j is refused', (sent, keys, message) => {
    expect(() => readReceiverKey(sent, keys)).toThrow(message)
  })

  it('are users, each once and in their order, or everybody', () => {
    expect(readUsers({ user: 'a' })).toEqual(['a'])
    expect(readUsers({ user: ['b', 'a', 'b'] })).toEqual(['b', 'a'])
    expect(readUsers({ users: ['b', 'a', 'b'] })).toEqual(['b', 'a'])
    expect(readUsers({ user: '*' })).toBeUndefined()
  })

  it('are at least one user and at most 10,000', () => {
    const users = Array.from({ length: 10_001 }, (_, index) => `u${index}`)
    expect(() => readUsers({ users: [] })).toThrow('"users" is empty')
    expect(() => readUsers({ user: [] })).toThrow('"user" is empty')
    expect(readUsers({ users: users.slice(1) })).toHaveLength(10_000)
    expect(() => readUsers({ users })).toThrow('"users" has 10001 user ids; at most 10000 are allowed.')
  })
})
