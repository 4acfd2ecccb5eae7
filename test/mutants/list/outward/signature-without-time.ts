import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the signature of a webhook call does not cover its time',
  file: 'server/src/features/webhooks/calls/webhook-request.ts',
  find: '`${event.id}.${timestamp}.${body}`',
  replace: '`${event.id}.${body}`',
  tests: [
    'server/src/features/webhooks/calls/webhook-parts.test.ts',
    'server/src/features/webhooks/calls/webhook-loop.test.ts',
  ],
}
