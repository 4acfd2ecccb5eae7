import type { AnyNotification } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'

export const allKeys = ['user', 'users', 'target', 'segment'] as const
export type ReceiverKey = (typeof allKeys)[number]

export const personalKeys: readonly ReceiverKey[] = ['user', 'users']
export const groupKeys: readonly ReceiverKey[] = ['target', 'segment']

/** The one of these keys that says who receives the message [segments.md#target-and-segment]. */
export function readReceiverKey(sent: object, expected: readonly ReceiverKey[]): ReceiverKey {
  const given = allKeys.filter((key) => (sent as Record<string, unknown>)[key] != null)
  const [key] = given
  if (key !== undefined && given.length === 1 && expected.includes(key)) return key
  const came = given.length === 0 ? 'none of them' : list(given, 'and')
  throw new RequestError('invalid-request', `Expected exactly one of ${list(expected, 'or')}, got ${came}.`, {
    details: { field: given.find((candidate) => !expected.includes(candidate)) ?? given[1] ?? expected[0] },
  })
}

function list(keys: readonly string[], word: string): string {
  const quoted = keys.map((key) => `"${key}"`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`
}

/** [sending.md#recipients] The users a personal message names, each once; undefined for everybody on the public channel. */
export function readUsers(sent: Pick<AnyNotification, 'user' | 'users'>): string[] | undefined {
  const key = readReceiverKey(sent, personalKeys)
  const users = sent.user ?? sent.users ?? []
  if (users === '*') return undefined
  if (typeof users === 'string') return [users]
  if (users.length === 0) {
    throw new RequestError('invalid-request', `"${key}" is empty: expected at least one user id.`, {
      details: { field: key },
    })
  }
  if (users.length > limits.usersPerMessage) {
    const message = `"${key}" has ${users.length} user ids; at most ${limits.usersPerMessage} are allowed.`
    throw new RequestError('too-large', message, { details: { field: key } })
  }
  return [...new Set(users)]
}
