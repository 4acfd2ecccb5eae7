import { RequestError } from '#base/errors.ts'
import { type Scope, scopes } from './scopes.ts'

const partsOfServer: readonly Scope[] = ['push', 'tags', 'events', 'promo']

/** [requests.md#access-tokens] One of server, client and read, or parts of server, with read beside them if wanted. */
export function checkScopes(given: readonly string[]): Scope[] {
  const unknown = given.find((scope) => !(scopes as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw new RequestError('invalid-request', `Unknown scope "${unknown}"; expected ${scopes.join(', ')}.`)
  const chosen = scopes.filter((scope) => given.includes(scope))
  if (chosen.length === 0)
    throw new RequestError('invalid-request', `Expected at least one scope of ${scopes.join(', ')}.`)
  if (chosen.includes('client') && chosen.length > 1) {
    throw new RequestError(
      'invalid-request',
      'The scope client stands alone: a key inside an app must not do what a back end does.',
    )
  }
  if (chosen.includes('server') && chosen.length > 1) {
    throw new RequestError(
      'invalid-request',
      `The scope server covers ${partsOfServer.join(', ')} and read: give server, or the parts.`,
    )
  }
  return chosen
}
