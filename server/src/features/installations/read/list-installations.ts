import type { InstallationWithUser } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findInstallationNumbers } from './find-installation-numbers.ts'
import { readFilter } from './read-filter.ts'
import { readInstallationAnswers } from './read-installation-answers.ts'

export async function listInstallations(ctx: Context, query: { filter: string }): Promise<InstallationWithUser[]> {
  const filter = readFilter(query.filter)
  if (!ctx.client) return readInstallationAnswers(ctx, await findInstallationNumbers(ctx, filter))
  const { ids, limit } = filter
  if (!ids) throw new RequestError('wrong-scope', 'A client key reads only the installations whose ids it names.')
  const named = await findInstallationNumbers(ctx, { ...filter, limit: ids.length })
  return ofOneUser(await readInstallationAnswers(ctx, named)).slice(0, limit)
}

/** [ADR-0143] A client is one user's: the first one named says whose. */
function ofOneUser(installations: readonly InstallationWithUser[]): InstallationWithUser[] {
  return installations.filter(({ userId }) => userId === installations[0]?.userId)
}
