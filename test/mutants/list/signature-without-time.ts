import type { Mutant } from '../mutant.ts'

export const mutant: Mutant = {
  name: 'the signature of a webhook call does not cover its time',
  file: 'server/src/features/webhooks/webhook-request.ts',
  find: '`${event.id}.${timestamp}.${body}`',
  replace: '`${event.id}.${body}`',
  tests: ['server/src/features/webhooks/webhook-parts.test.ts', 'server/src/features/webhooks/webhook-loop.test.ts'],
}
