import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an import takes an email address for a push token',
  file: 'server/src/features/transfer/import/check-push-token.ts',
  find: 'const fcmSigns = /^(?!(?:null|nil|none|undefined)$)(?=.*[A-Za-z])[\\w:-]+$/',
  replace: 'const fcmSigns = /./',
  tests: ['server/src/features/transfer/import/check-push-token.test.ts'],
}
