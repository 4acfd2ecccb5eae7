import type { Logger } from '#base/log.ts'
import { hasPart } from '../../roles.ts'
import { panelLink } from '../member/panel-link.ts'
import { print } from '../print.ts'
import type { Demo } from './demo.ts'
import type { RunningService } from './running.ts'

/**
 * Says where the service is: to people what to try, to programs one line. Tokens and passwords go to a terminal only,
 * never to a log: programs find those of the demo in its file. The link that signs in to the demo's panel once is in the
 * log too, because whoever reads that has no other way in; production has no demo, and its log has no secret.
 */
export function announce(service: RunningService, { log, isTerminal }: { log: Logger; isTerminal: boolean }): void {
  const { roles, baseUrl, mqttUrl, demo, hasApps, hasMembers } = service
  if (isTerminal) {
    print(welcome(service))
    return
  }
  const forDemo = demo && { demoFile: demo.path, simulatorUrl: demo.simulatorUrl }
  const forPeople = hasPart(roles, 'http-routes') && { panel: `${baseUrl}/panel/`, reference: `${baseUrl}/docs` }
  log.info({ roles, baseUrl, mqttUrl, ...forPeople, ...forDemo }, 'listening')
  if (demo) {
    const signIn = panelLink(baseUrl, demo.member.linkKey)
    log.info(
      { signIn },
      `the link signs in to the panel once; later as ${demo.member.email}, with the password in demoFile`,
    )
  }
  if (!hasApps) log.warn('There are no apps yet: create one with peyk app create <label>')
  else if (!hasMembers)
    log.warn('Nobody can sign in to the panel yet: peyk member create --app <label> --email <address> --role admin')
}

export function welcome({ roles, baseUrl, mqttUrl, demo, hasApps, hasMembers }: RunningService): string {
  const live = `  Live connection (MQTT): ${mqttUrl} and ${baseUrl.replace(/^http/, 'ws')}/mqtt`
  if (!hasPart(roles, 'http-routes')) {
    const lines = [`  Peyk runs at ${baseUrl} as ${roles.join(', ')} (Ctrl-C stops it)`, ...(mqttUrl ? ['', live] : [])]
    return ['', ...lines, ''].join('\n')
  }
  const lines = [
    '',
    `  Peyk runs at ${baseUrl} (Ctrl-C stops it)`,
    '',
    ...(demo
      ? [
          `  Panel: ${panelLink(baseUrl, demo.member.linkKey)}`,
          `  The link signs in once; after that, sign in as ${demo.member.email}, with the password in ${demo.path}`,
        ]
      : [`  Panel: ${baseUrl}/panel/`]),
    '',
    `  API reference: ${baseUrl}/docs`,
    ...(mqttUrl ? [live] : []),
  ]
  if (!hasApps)
    lines.push(
      '',
      '  There are no apps yet. Create one in another terminal:',
      '',
      '    npx peyk app create shop --name "My shop"',
    )
  else if (!hasMembers)
    lines.push(
      '',
      '  Nobody can sign in to the panel yet. Add a member in another terminal:',
      '',
      '    npx peyk member create --app shop --email you@shop.example --role admin',
    )
  if (demo) {
    lines.push(`  Try it in a browser: ${baseUrl}/try`)
    lines.push(`  Tokens of the demo app: ${demo.path}`, `  Virtual phones: ${demo.simulatorUrl}/phones`)
    lines.push('', ...trySending(baseUrl, demo), '', ...trySeeing(demo))
  }
  return [...lines, ''].join('\n')
}

function trySending(baseUrl: string, { accessToken: token }: Demo): string[] {
  const json = `-H 'Content-Type: application/json'`
  return [
    '  Send a message to a demo user, and track an event, from another terminal:',
    '',
    `    curl '${baseUrl}/api/push/toUsers?access_token=${token}' ${json} -d '{"user":"user-1","content":"Hello"}'`,
    '',
    `    curl '${baseUrl}/api/installations/track' -H 'X-Access-Token: ${token}' ${json} -d '{"userId":"user-1","eventName":"AddToCart"}'`,
  ]
}

function trySeeing({ simulatorUrl }: Demo): string[] {
  return [
    '  The message then appears on the phones of user-1: an Android phone, an iPhone, a browser, and an Android phone',
    '  without Google services, which gets it over the live connection although the app is closed:',
    '',
    `    curl ${simulatorUrl}/phones`,
    `    curl -N ${simulatorUrl}/phones/stream    # and what happens on them from now on`,
  ]
}
