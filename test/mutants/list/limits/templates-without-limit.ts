import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'templates can be as long as they like',
  file: 'server/src/features/messages/check/check-templates.ts',
  find: `    if (characters > maxTemplateCharacters) {
`,
  replace: `    if (characters > maxTemplateCharacters * 1_000) {
`,
  tests: ['server/src/features/messages/check/check-templates.test.ts'],
}
