import type { SavedSegment } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { readAudience } from '../read/read-audience.ts'
import { resolveAudience } from '../read/resolve-audience.ts'

/** What is saved must be a segment now; answers it as it is stored. */
export async function checkDefinition(ctx: Context, segment: unknown): Promise<SavedSegment['segment']> {
  if (segment === undefined || segment === null) throw new RequestError('invalid-request', '"segment" is required.')
  const fixed = await resolveAudience(ctx, { segment })
  await readAudience(ctx, fixed, ctx.now())
  return (fixed as { segment: SavedSegment['segment'] }).segment
}
