import type { Context } from '#base/context.ts'

/**
 * Calls as two processes would make them on one database: each has its own batches, and commits them one after the
 * other while the other does the same.
 */
export async function inTwoProcesses<T>(
  ctx: Context,
  count: number,
  call: (process: Context, index: number) => Promise<T>,
): Promise<T[]> {
  const processes = [ctx, { ...ctx, store: Object.create(ctx.store) as Context['store'] }]
  const answers: T[] = new Array(count)
  const indexes = Array.from({ length: count }, (_, index) => index)
  await Promise.all(
    processes.map(async (process, number) => {
      const own = indexes.filter((index) => index % 2 === number)
      for (let start = 0; start < own.length; start += 4) {
        await Promise.all(
          own.slice(start, start + 4).map(async (index) => (answers[index] = await call(process, index))),
        )
      }
    }),
  )
  return answers
}
