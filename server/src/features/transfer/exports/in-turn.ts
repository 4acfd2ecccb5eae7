import type { Context } from '#base/context.ts'
import { takeTurn } from '../take-turn.ts'

/** Has a turn of the app's from the first row to the last, or until nobody reads it any more. */
export async function* inTurn<T>(ctx: Pick<Context, 'store' | 'app'>, rows: AsyncIterable<T>): AsyncGenerator<T> {
  const giveBack = await takeTurn(ctx.store, ctx.app.id)
  try {
    yield* rows
  } finally {
    await giveBack()
  }
}
