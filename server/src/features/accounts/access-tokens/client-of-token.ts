import { randomBytes } from 'node:crypto'
import type { Context } from '#base/context.ts'
import type { AccessToken } from './find-token.ts'

const clients = new WeakMap<AccessToken, { identitySecret: string | undefined }>()

/** Undefined for a back end's token, which may do more than a device. */
export function clientOfToken(
  { external, log }: Pick<Context, 'external' | 'log'>,
  token: AccessToken,
): Context['client'] | undefined {
  if (token.scopes.length !== 1 || token.scopes[0] !== 'client') return undefined
  const known = clients.get(token)
  if (known) return known
  const client = { identitySecret: openSecret({ external, log }, token) }
  clients.set(token, client)
  return client
}

/** One that cannot be opened still stands for verification: nobody knows it, so nobody is let in. */
function openSecret({ external, log }: Pick<Context, 'external' | 'log'>, token: AccessToken): string | undefined {
  if (token.sealedIdentitySecret === undefined) return undefined
  try {
    return external.secretBox.open(token.sealedIdentitySecret)
  } catch {
    log.error({ app: token.app.label }, 'the identity secret was sealed with a key that is not here: nobody can log in')
    return randomBytes(32).toString('hex')
  }
}
