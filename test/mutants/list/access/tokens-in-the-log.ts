import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'access tokens in odd places are logged',
  file: 'server/src/base/secrets/redact-tokens.ts',
  find: 'return text.replace(anyToken, stand)',
  replace: 'return text',
  tests: ['server/src/base/secrets/redact-tokens.test.ts'],
}
