import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a client acts for another user although identities are verified',
  file: 'server/src/features/installations/users/check-own-user.ts',
  find: `  if ((await findUserOfInstallation(ctx, claim.installationId)) === claim.userId) return
`,
  replace: `  if ((await findUserOfInstallation(ctx, claim.installationId)) || claim.userId) return
`,
  tests: ['test/spec/public-client-key.test.ts', 'test/spec/client-library.test.ts'],
}
