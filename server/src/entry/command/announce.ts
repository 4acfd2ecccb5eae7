import type { Logger } from '../../base/log.ts'
import { print } from './print.ts'
import type { RunningService } from './start-up.ts'

/** Says where the service is: to people what to try, to programs one line. Tokens go to a terminal only, never to a log. */
export function announce(service: RunningService, { log, isTerminal }: { log: Logger; isTerminal: boolean }): void {
  const { baseUrl, demo, hasApps } = service
  if (isTerminal) {
    print(welcome(service))
    return
  }
  log.info({ baseUrl, reference: `${baseUrl}/docs`, ...(demo && { demoFile: demo.path }) }, 'listening')
  if (!hasApps) log.warn('There is no app yet: peyk app create <label> makes one and prints its tokens')
}

export function welcome({ baseUrl, demo, hasApps }: RunningService): string {
  const lines = ['', `  Peyk runs at ${baseUrl} (Ctrl-C stops it)`, `  API reference: ${baseUrl}/docs`]
  if (!hasApps)
    lines.push(
      '',
      '  There is no app yet. Make one, in another terminal:',
      '',
      '    npx peyk app create shop --name "My shop"',
    )
  if (demo) lines.push(`  Tokens of the demo app: ${demo.path}`, '', ...trySending(baseUrl, demo.accessToken))
  return [...lines, ''].join('\n')
}

function trySending(baseUrl: string, token: string): string[] {
  const json = `-H 'Content-Type: application/json'`
  return [
    '  Send a message to a demo user, and track an event, from another terminal:',
    '',
    `    curl '${baseUrl}/api/push/toUsers?access_token=${token}' ${json} -d '{"user":"user-1","content":"Hello"}'`,
    '',
    `    curl '${baseUrl}/api/installations/track' -H 'X-Access-Token: ${token}' ${json} -d '{"userId":"user-1","eventName":"AddToCart"}'`,
  ]
}
