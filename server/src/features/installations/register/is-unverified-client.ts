import type { Context } from '#base/context.ts'

/** Whether the caller may be anybody: a client key is public, and the app does not verify who its users are. */
export function isUnverifiedClient({ client }: Pick<Context, 'client'>): boolean {
  return client !== undefined && client.identitySecret === undefined
}
