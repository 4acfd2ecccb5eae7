import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'calls outwards follow redirects',
  file: 'server/src/base/outbound/call-once.ts',
  find: `          socket.destroy()
          end(answer)
`,
  replace: `          socket.destroy()
          const next = answer.kind === 'answer' && answer.status >= 300 && answer.status < 400 && answer.headers.location
          if (next) callOnce(new URL(next, target), call).then(end)
          else end(answer)
`,
  tests: ['server/src/features/webhooks/calls/webhook-loop.test.ts'],
}
