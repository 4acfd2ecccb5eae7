import type { InstallationWithUser } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { findInstallationNumbers } from './find-installation-numbers.ts'
import { readInstallationAnswers } from './read-installation-answers.ts'

const maxInstallations = 1_000

/** The newest login first. A user who is not known has none. */
export async function listInstallationsOfUser(
  ctx: Context,
  input: { userId: string },
): Promise<InstallationWithUser[]> {
  const filter = { ids: undefined, userIds: [input.userId], limit: maxInstallations }
  return readInstallationAnswers(ctx, await findInstallationNumbers(ctx, filter))
}
