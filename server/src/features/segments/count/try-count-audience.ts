import type { Context } from '#base/context.ts'
import { countByIndex, isIndexReady } from '../index/ask-index.ts'
import { readAudience } from '../read/read-audience.ts'
import type { Audience } from '../read/resolve-audience.ts'

/** How many installations and users an audience has now, if the index of segments knows: SQL may take long for users. */
export async function tryCountAudience(
  ctx: Context,
  audience: Audience,
): Promise<{ count: number; users: number } | undefined> {
  if (!isIndexReady(ctx)) return undefined
  const at = ctx.now()
  const { steps } = await readAudience(ctx, audience, at)
  const conditions = steps.map((step) => step.condition)
  const counts = await countByIndex(ctx, conditions, at)
  return counts && { count: counts.left.at(-1) as number, users: counts.users }
}
