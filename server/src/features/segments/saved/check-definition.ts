import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { fixAudience } from '../read/fix-audience.ts'
import { readAudience } from '../read/read-audience.ts'

/** What is saved must be a segment now; answers it as it is stored. */
export async function checkDefinition(ctx: Context, segment: unknown): Promise<unknown> {
  if (segment === undefined || segment === null) throw new RequestError('invalid-request', '"segment" is required.')
  const fixed = await fixAudience(ctx, { segment })
  await readAudience(ctx, fixed, ctx.now())
  return (fixed as { segment: unknown }).segment
}
