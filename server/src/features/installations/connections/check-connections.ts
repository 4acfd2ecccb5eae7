import type { Context } from '#base/context.ts'
import type { HeldConnection } from './hold-connections.ts'
import { findCurrentConnections } from './holders-store.ts'

/**
 * Which of these connections are still the installations' own: the others were taken over elsewhere. All of them when this
 * process has been given up: it gets its connections back the next time that it says it lives.
 */
export async function checkConnections(
  ctx: Pick<Context, 'store'>,
  input: { holder: string; held: readonly HeldConnection[] },
): Promise<ReadonlySet<string>> {
  const { holder, held } = input
  if (held.length === 0) return new Set()
  const current = await findCurrentConnections(ctx.store, holder, held)
  return new Set(current ?? held.map(({ connectionId }) => connectionId))
}
