import { X509Certificate } from 'node:crypto'
import { closestWord } from '#base/closest-word.ts'
import { type Config, type InspectedConfig, listSettings, type TlsFiles } from '#base/config.ts'
import { readTls } from '#base/tls.ts'
import { hasPart, type Part, roleOf } from '../../roles.ts'
import { findPlainHttp } from '../start/find-plain-http.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const DAY = 86_400_000
/** Renewing usually happens 30 days before the end: what is left then has failed for two weeks. */
const expirySoonMs = 14 * DAY

const onlyInDevelopment = ['PEYK_SIMULATOR_PORT', 'PEYK_SIMULATOR_URL', 'PEYK_CROWD_SIZE']

/** Which a process without that part does not read. */
const settingsOfParts: readonly (readonly [name: string, part: Part])[] = [
  ['PEYK_MQTT_PORT', 'live-connections'],
  ['PEYK_MQTT_TLS_CERT', 'live-connections'],
  ['PEYK_CONNECTIONS_ADDRESS', 'live-connections'],
  ['PEYK_CONNECTIONS_APP', 'live-connections'],
  ['PEYK_BACKUP_EVERY', 'backup-loop'],
  ['PEYK_PUSH_RATE', 'delivery-loop'],
  ['PEYK_SEGMENT_INDEX_MB', 'segment-indexes'],
]

/** The settings of this environment: what cannot be read, what nothing reads, and what does not fit together. */
export async function checkConfig(inspected: InspectedConfig, machineNow: Date): Promise<Finding[]> {
  const { config } = inspected
  const findings = [
    ...inspected.faults.map(({ message }) =>
      fault(
        'wrong-setting',
        withoutPasswords(message),
        'The service does not start with this value: correct or unset it.',
      ),
    ),
    ...inspected.unknown.map(describeUnknown),
    ...findContradictions(inspected),
    ...(await checkCertificates(config, machineNow)),
    ...findExposure(config),
  ]
  if (findings.length > 0) return findings
  const count = inspected.set.length
  const settings = count === 0 ? 'all settings at their defaults' : `${count} setting${count === 1 ? '' : 's'} set`
  return [ok('settings', `${config.mode}, ${settings}`)]
}

/** An address that was refused is repeated in the message. */
function withoutPasswords(message: string): string {
  return message.replace(/\/\/[^/@\s"]*@/g, '//…@')
}

function describeUnknown(name: string): Finding {
  const meant = closestWord(name, [...listSettings()])
  const advice = meant ? `Is ${meant} meant? See: peyk start --help` : 'Unset it. See: peyk start --help'
  return warning('unknown-setting', `${name} is set, and nothing reads it.`, advice)
}

function findContradictions({ config, set }: InspectedConfig): Finding[] {
  const isSet = (name: string) => set.includes(name)
  const findings: Finding[] = []
  const hasMqtt = hasPart(config.roles, 'live-connections')
  if (hasMqtt && config.port !== 0 && config.port === config.mqttPort)
    findings.push(
      fault('same-port', `PEYK_PORT and PEYK_MQTT_PORT are both ${config.port}.`, 'Give each a port of its own.'),
    )
  if (config.mode === 'production') {
    for (const name of onlyInDevelopment.filter(isSet))
      findings.push(warning('development-only', `${name} has no effect in production.`, 'Unset it.'))
    if (isSet('PEYK_TEST_DURATIONS'))
      findings.push(fault('test-setting', 'PEYK_TEST_DURATIONS is for tests.', 'Unset it in production.'))
    if (config.publicUrl?.startsWith('http:'))
      findings.push(
        warning(
          'public-url-without-tls',
          'PEYK_PUBLIC_URL is an http address: phones load images of notifications over https only.',
          'Set it to the https address.',
        ),
      )
  }
  for (const [name, part] of settingsOfParts)
    if (isSet(name) && !hasPart(config.roles, part))
      findings.push(
        warning(
          'setting-of-another-role',
          `${name} has no effect in a process with PEYK_ROLES=${config.roles.join(',')}.`,
          `Set it where the role ${roleOf[part]} is.`,
        ),
      )
  const unused = ['PEYK_BACKUP_KEEP', 'PEYK_BACKUP_FOLDER'].filter(isSet)
  if (config.backupEveryHours === 0 && unused.length > 0)
    findings.push(
      warning(
        'backups-not-scheduled',
        `${unused.join(' and ')} ${unused.length === 1 ? 'is' : 'are'} set, but PEYK_BACKUP_EVERY is not: no backups are made.`,
        'Set PEYK_BACKUP_EVERY=24 for one backup a day.',
      ),
    )
  return findings
}

async function checkCertificates({ tls, mqttTls }: Config, machineNow: Date): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const files of [tls, mqttTls]) if (files) findings.push(...(await checkCertificate(files, machineNow)))
  return findings
}

async function checkCertificate(files: TlsFiles, machineNow: Date): Promise<Finding[]> {
  const [variable] = files.variables
  const renew = `Renew the certificate in ${files.certificate}. A running service takes the new one without a restart.`
  try {
    const endsAt = new Date(new X509Certificate((await readTls(files)).cert).validTo)
    const leftMs = Number(endsAt) - Number(machineNow)
    const day = endsAt.toISOString().slice(0, 10)
    if (leftMs <= 0) return [fault('certificate-expired', `The certificate of ${variable} expired on ${day}.`, renew)]
    if (leftMs > expirySoonMs) return []
    return [warning('certificate-expires', `The certificate of ${variable} expires on ${day}.`, renew)]
  } catch (error) {
    return [fault('certificate', (error as Error).message, 'Correct the files. See docs/self-host/operations.md, TLS.')]
  }
}

function findExposure(config: Config): Finding[] {
  const address = findPlainHttp(config, config.host)
  if (address === undefined) return []
  return [
    warning(
      'plain-http',
      `The service serves HTTP without TLS at the public address ${address}: tokens and passwords can be read on the way.`,
      'Set PEYK_TLS_CERT and PEYK_TLS_KEY, or PEYK_HOST to the address that your proxy calls.',
    ),
  ]
}
