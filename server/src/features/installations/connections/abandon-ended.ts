import type { Context } from '#base/context.ts'
import { abandonConnections, listHeldConnections } from './holders-store.ts'

/** Looks at all that the database says this process holds, and ends there what ended while the database was away. */
export async function abandonEnded(
  ctx: Pick<Context, 'store'>,
  input: {
    holder: string
    /** Asked about the id of a connection. */
    isAlive: (connectionId: string) => boolean
  },
): Promise<void> {
  const { holder, isAlive } = input
  const ended = (await listHeldConnections(ctx.store, holder)).filter((id) => !isAlive(id))
  if (ended.length > 0) await abandonConnections(ctx.store, holder, ended)
}
