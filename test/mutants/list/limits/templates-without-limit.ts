import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'templates can be as long as they like',
  file: 'server/src/features/messages/check/check-templates.ts',
  find: `    if (this.characters <= maxTemplateCharacters) return
`,
  replace: `    if (this.characters <= maxTemplateCharacters * 1_000) return
`,
  tests: ['server/src/features/messages/check/check-templates.test.ts'],
}
