import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an SMS goes out beside its push when all sending is resumed',
  file: 'server/src/features/deliveries/control/resume-all-sending.ts',
  find: 'await delayFallbacksOfApp(tx, ctx.app.id, stoppedAt)',
  replace: '',
  tests: ['server/src/features/deliveries/fallback/fallback-loop.test.ts'],
}
