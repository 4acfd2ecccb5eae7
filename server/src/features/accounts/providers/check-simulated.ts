import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

/** Credentials that the simulator issued are worth nothing where there is none, as in production. */
export function checkSimulated(ctx: Pick<Context, 'external'>, isSimulated: boolean): void {
  if (!isSimulated || ctx.external.simulated) return
  throw new RequestError(
    'invalid-request',
    'This service has no simulator, so it takes no simulated credentials: only a service in development has one.',
  )
}
