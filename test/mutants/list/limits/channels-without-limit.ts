import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an installation can join any number of channels',
  file: 'server/src/features/installations/channels/apply-subscription-changes.ts',
  find: 'if (list.size >= limits.channelsPerInstallation) {',
  replace: 'if (list.size >= limits.channelsPerInstallation * 1_000) {',
  tests: ['server/src/features/installations/channels/apply-subscription-changes.test.ts'],
}
