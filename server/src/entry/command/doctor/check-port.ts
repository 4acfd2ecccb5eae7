import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Config } from '../../../base/config.ts'
import { findRunningServer } from '../../../base/store/embedded/server-lock-file.ts'
import { type Finding, fault, ok, unseen, warning } from './finding.ts'

const patienceMs = 6_000

/** Whether a service answers at the port of these settings, and whether it is the one of this data folder. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const pid = config.databaseUrl === undefined ? await findRunningServer(config.dataFolder) : undefined
  if (config.port === 0)
    return [unseen('free-port', 'PEYK_PORT is 0: whether a service answers cannot be seen from here.')]
  const address = `${config.tls ? 'https' : 'http'}://${reachable(config.host)}:${config.port}`
  const answer = await ask(`${address}/ready`).catch((error: Error) => error)
  return [judgeAnswer(address, answer, { pid, isEmbedded: config.databaseUrl === undefined })]
}

export interface Answer {
  status: number
  body: string
}

export function judgeAnswer(
  address: string,
  answer: Answer | Error,
  { pid, isEmbedded }: { pid: number | undefined; isEmbedded: boolean },
): Finding {
  if (answer instanceof Error) {
    if (pid === undefined)
      return unseen('not-running', `No service answers at ${address}; what only a running one knows was not looked at.`)
    return warning(
      'other-settings',
      `Process ${pid} serves the data folder, but nothing answers at ${address}.`,
      'It is still starting, or was started with other settings: run the doctor with the settings of the service.',
    )
  }
  const { status, roles, error } = readBody(answer.body)
  if (answer.status === 200 && status === 'ready') {
    if (isEmbedded && pid === undefined)
      return warning(
        'other-folder',
        `A service answers at ${address}, but it does not use this data folder.`,
        'Run the doctor with the PEYK_DATA or PEYK_DATABASE_URL of that service.',
      )
    return ok('ready', `ready at ${address}${roles ? ` (${roles.join(', ')})` : ''}`)
  }
  if (answer.status === 503 && error !== undefined)
    return fault(
      'not-ready',
      `The service at ${address} is not ready: ${error}`,
      'See its log, and the database below.',
    )
  return fault(
    'other-program',
    `Something that is not this service answers at ${address} (status ${answer.status}).`,
    'End it, or set PEYK_PORT to another port.',
  )
}

function readBody(body: string): { status?: unknown; roles?: string[]; error?: string } {
  try {
    const { status, roles, error } = JSON.parse(body)
    return {
      status,
      ...(Array.isArray(roles) && { roles }),
      ...(typeof error?.message === 'string' && { error: error.message }),
    }
  } catch {
    return {}
  }
}

function reachable(host: string): string {
  if (host === '::' || host === '0.0.0.0') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function ask(url: string): Promise<Answer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // The certificate is for the public name, and is looked at with the settings.
    const options = { timeout: patienceMs, rejectUnauthorized: false, agent: false as const }
    const request = send(url, options, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', reject)
    request.end()
  })
}
