import type { Context } from '#base/context.ts'
import { dropHolder } from './holders-store.ts'

/** The process holds no connections any more. */
export async function releaseConnections(ctx: Pick<Context, 'store'>, input: { holder: string }): Promise<void> {
  await ctx.store.transaction((tx) => dropHolder(tx, input.holder))
}
