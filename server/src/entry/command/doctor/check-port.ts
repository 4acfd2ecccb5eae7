import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Config } from '#base/config.ts'
import { findRunningServer } from '#base/store/embedded/server-lock-file.ts'
import { hasPart } from '../../roles.ts'
import { type Finding, fault, ok, unseen, warning } from './finding.ts'

const patienceMs = 6_000

/** Whether a service answers at the port of these settings, and whether it is the one of this data folder. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const holder = await findHolder(config)
  if (config.port === 0)
    return [unseen('free-port', 'PEYK_PORT is 0: whether a service answers cannot be seen from here.')]
  const address = `${config.tls ? 'https' : 'http'}://${reachable(config.host)}:${config.port}`
  const answer = await ask(`${address}/ready`).catch((error: NodeJS.ErrnoException) => error)
  const finding = judgeAnswer(address, answer, holder)
  return finding.code === 'not-running' ? [finding, ...(await checkMqttPort(config))] : [finding]
}

/** Who serves the data folder, where that can be known: not with a database elsewhere, or a folder of somebody else. */
type Holder = { isKnown: true; pid: number | undefined } | { isKnown: false }

async function findHolder({ databaseUrl, dataFolder }: Config): Promise<Holder> {
  if (databaseUrl !== undefined) return { isKnown: false }
  return findRunningServer(dataFolder).then(
    (pid) => ({ isKnown: true, pid }),
    () => ({ isKnown: false }),
  )
}

/** Without a service nobody should be there. */
async function checkMqttPort({ host, mqttPort, roles }: Config): Promise<Finding[]> {
  if (mqttPort === 0 || !hasPart(roles, 'live-connections') || !(await isTaken(host, mqttPort))) return []
  return [
    fault(
      'port-taken',
      `Another program listens on port ${mqttPort} (PEYK_MQTT_PORT): the service cannot start.`,
      'End it, or set PEYK_MQTT_PORT to another port.',
    ),
  ]
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: host === '::' || host === '0.0.0.0' ? 'localhost' : host,
      port,
      timeout: patienceMs,
    })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

export interface Answer {
  status: number
  body: string
}

export function judgeAnswer(address: string, answer: Answer | NodeJS.ErrnoException, holder: Holder): Finding {
  if (answer instanceof Error) {
    const pid = holder.isKnown ? holder.pid : undefined
    if (speaksOtherwise(answer))
      return fault(
        'other-program',
        `Something takes connections at ${address}, but does not answer as the service does (${answer.code}).`,
        'If it is another program, end it or set PEYK_PORT to another port. If it is the service, see its log and PEYK_TLS_CERT.',
      )
    if (pid === undefined)
      return unseen('not-running', `No service answers at ${address}; what only a running one knows was not looked at.`)
    return warning(
      'other-settings',
      `Process ${pid} serves the data folder, but nothing answers at ${address}.`,
      'It is still starting, or was started with other settings: run the doctor with the settings of the service.',
    )
  }
  const { status, roles, storing, error } = readBody(answer.body)
  if (answer.status === 200 && status === 'ready') {
    if (holder.isKnown && holder.pid === undefined)
      return warning(
        'other-folder',
        `A service answers at ${address}, but it does not use this data folder.`,
        'Run the doctor with the PEYK_DATA or PEYK_DATABASE_URL of that service.',
      )
    if (storing === 'refused')
      return fault(
        'store-full',
        `The service at ${address} answers reads, but PostgreSQL has just refused to store something: its disk is full.`,
        'Make room on the disk of PostgreSQL or enlarge it. The service continues when there is room.',
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

/** It was reached: another protocol, TLS where none is expected or the other way round, or silence. */
function speaksOtherwise({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') || ['ECONNRESET', 'EPROTO', 'ETIMEDOUT'].includes(code)
}

function readBody(body: string): { status?: unknown; roles?: string[]; storing?: unknown; error?: string } {
  try {
    const { status, roles, storing, error } = JSON.parse(body)
    return {
      ...{ status, storing },
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
    request.on('timeout', () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    request.on('error', reject)
    request.end()
  })
}
