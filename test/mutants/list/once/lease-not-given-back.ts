import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a process that stops keeps the lease of what it accepted and has not sent',
  file: 'server/src/features/deliveries/dispatch/leased-intake.ts',
  find: '        else await this.giveUp(work)\n',
  replace: '',
  tests: ['server/src/features/deliveries/dispatch/leased-intake.test.ts'],
}
