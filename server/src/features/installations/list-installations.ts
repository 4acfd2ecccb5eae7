import type { Context } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { findInstallationNumbers } from './find-installation-numbers.ts'
import { readFilter } from './read-filter.ts'
import { type InstallationWithUser, readInstallationAnswers } from './read-installation-answers.ts'

/** A client key reads only installations whose ids it names: the ids are unguessable, user ids are not. */
export async function listInstallations(ctx: Context, query: { filter: string }): Promise<InstallationWithUser[]> {
  const filter = readFilter(query.filter)
  if (ctx.client && !filter.ids) {
    throw new RequestError('wrong-scope', 'A client key reads only the installations whose ids it names.')
  }
  return readInstallationAnswers(ctx, await findInstallationNumbers(ctx, filter))
}
