import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type NatsAddress, readNatsAddress } from './bus/nats/nats-address.ts'
import { ConfigError } from './config-error.ts'
import { type Durations, defaultDurations } from './durations.ts'
import { readTraceSettings, type TraceSettings } from './trace/trace-settings.ts'

export { ConfigError }

const SECOND = 1_000
const KIB = 1024
const MIB = 1024 * KIB

/** What a process may be given to do; one that is given nothing does all of it. */
export const roles = ['api', 'connection', 'worker', 'index'] as const
export type Role = (typeof roles)[number]

/** Files with a certificate and its key; both or neither. */
export interface TlsFiles {
  certificate: string
  key: string
  /** Where they are set. */
  variables: readonly [certificate: string, key: string]
}

export interface Config {
  mode: 'development' | 'production'
  /** How many processes serve the ports, beside one that supervises them; 1: this one does everything. */
  processes: number
  /** What they do. */
  roles: readonly Role[]
  host: string
  port: number
  /** Of the own connection over TCP. */
  mqttPort: number
  /** Of the HTTP port, and of WebSocket with it. */
  tls: TlsFiles | undefined
  /** Of the own connection over TCP. */
  mqttTls: TlsFiles | undefined
  dataFolder: string
  databaseUrl: string | undefined
  /** A replica of it, for what may be some seconds old. */
  databaseReadUrl: string | undefined
  /** By which processes tell each other things; undefined: by PostgreSQL. */
  nats: NatsAddress | undefined
  baseHost: string | undefined
  trustProxy: string[]
  /** Under which others reach the service, such as https://push.example.com; unset: under which they asked. */
  publicUrl: string | undefined
  metricsToken: string | undefined
  /** Where traces go; undefined: nowhere. */
  traces: TraceSettings | undefined
  logLevel: string
  /** The first seals; the others open what was sealed before. */
  secretKeys: string[]
  simulatorPort: number
  /** A simulator that runs already, instead of one of our own. */
  simulatorUrl: string | undefined
  /** Undefined: as many as there were, or as the simulator thinks right. */
  crowdSize: number | undefined
  webPushHosts: string[]
  /** Pushes that one app may send to one provider in a second. */
  pushesPerSecond: number
  /** Of all processes together. */
  poolSize: number
  /** What the indexes of segments may take, in megabytes; 0: there are none. */
  segmentIndexMb: number
  tokenRequestsPerWindow: number
  addressRequestsPerWindow: number
  failedTokensPerWindow: number
  connectionsPerAddress: number
  connectionsPerApp: number
  /** What one client may ask over its own connection. */
  packetsPerWindow: number
  /** New installations that one address may register with one client key. */
  registrationsPerWindow: number
  /** Set in so many words, the limit holds for this machine too. */
  limitsOwnRegistrations: boolean
  /** Hours between two backups; 0: none are made. */
  backupEveryHours: number
  /** How many files of the schedule are kept. */
  backupKeep: number
  backupFolder: string
  durations: Durations
  /** npm or npx started us, and waits for us to end. */
  isUnderNpm: boolean
}

/**
 * What is not worth a setting, in one place and with its unit. docs/about/security.md lists those of what is stored; a test
 * compares the two.
 */
export const limits = {
  bodyBytes: 1 * MIB,
  listBodyBytes: 16 * MIB,
  formBytes: 1 * MIB,
  formParameters: 20_000,
  /** `a[b][c]` has three parts. */
  formParts: 80_000,
  formIndex: 10_000,
  preferenceFormBytes: 16 * KIB,
  promoFileBytes: 256 * MIB,
  promoRows: 10_000_000,
  /** What Android loads for a notification at most. */
  imageBytes: 1_000_000,
  imageSide: 4_096,
  imagesPerApp: 5_000,
  imageBytesPerApp: 500 * MIB,
  /** What an upload has to bring in each `transferMs` that the service waits for it. */
  transferBytes: 64 * KIB,
  jsonDepth: 32,
  packetBytes: 256 * KIB,
  packetsHeldBack: 5_000,
  /** A larger packet counts as several. */
  bytesPerTurn: 16 * KIB,
  /** What one client may have sent that is not done with. */
  heldBytes: 512 * KIB,
  passedOnBytes: 8 * KIB,
  /** Events that wait for a client to read; further ones are not sent to it. */
  eventBytesWaiting: 64 * KIB,
  nameBytes: 255,
  /** So that it fits into a packet of the own connection, whatever its texts become. */
  messageBytes: 128 * KIB,
  usersPerMessage: 10_000,
  languagesPerMessage: 20,
  variantsPerMessage: 5,
  valuesPerMessage: 50,
  valuesBytes: 8 * KIB,
  draftsPerApp: 200,
  draftBytes: 256 * KIB,
  templatesPerApp: 500,
  categoriesPerApp: 50,
  templateBytes: 64 * KIB,
  messagesPerRequest: 10_000,
  approvalsPerApp: 100,
  streamsPerApp: 4,
  scheduledPerApp: 100_000,
  /** That have not ended. */
  seriesPerApp: 200,
  eventsPerRequest: 1_000,
  rulesPerSegment: 100,
  valuesPerRule: 10_000,
  attributeValueBytes: 4 * KIB,
  attributesPerUser: 500,
  attributeBytesPerUser: 64 * KIB,
  attributesPerInstallation: 100,
  attributeBytesPerInstallation: 16 * KIB,
  tagsPerUser: 1_000,
  installationsPerUser: 100,
  /** An installation without a push token that was not seen for so long does not count. */
  forgottenAfterDays: 90,
  channelsPerInstallation: 200,
  actionsPerDelivery: 20,
  installationDetailsBytes: 16 * KIB,
  eventDataBytes: 32 * KIB,
  eventDataNames: 255,
  valueNamesPerEvent: 2_000,
  answerBytes: 32 * MIB,
  rateWindowMs: 10 * SECOND,
  registrationWindowMs: 600 * SECOND,
  tokenCacheMs: 0.9 * SECOND,
  shutdownMs: 10 * SECOND,
  handshakeMs: 10 * SECOND,
  idempotencyDays: 30,
} as const

const usualPool = 12
const usualPoolOfEach = 8
const usualProcesses = 8
const mostProcesses = 64

/** The only reader of the environment. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const mode = env.PEYK_MODE || 'development'
  if (mode !== 'development' && mode !== 'production') {
    throw new ConfigError(`PEYK_MODE is "${mode}"; expected "development" or "production".`)
  }
  const ownRoles = readRoles(env.PEYK_ROLES, env.PEYK_DATABASE_URL)
  // An index is kept by one process of a machine: beside it there would be nothing to do.
  const isIndexAlone = ownRoles.every((role) => role === 'index')
  const usual = mode === 'development' ? 1 : Math.min(availableParallelism(), usualProcesses)
  const processes = isIndexAlone ? 1 : wholeNumber(env, 'PEYK_PROCESSES', usual, 1, mostProcesses)
  return {
    mode,
    processes,
    roles: ownRoles,
    host: env.PEYK_HOST || (mode === 'production' ? '::' : 'localhost'),
    port: wholeNumber(env, 'PEYK_PORT', 8090, 0, 65_535),
    mqttPort: wholeNumber(env, 'PEYK_MQTT_PORT', 1884, 0, 65_535),
    tls: tlsFiles(env, ['PEYK_TLS_CERT', 'PEYK_TLS_KEY']),
    mqttTls: tlsFiles(env, ['PEYK_MQTT_TLS_CERT', 'PEYK_MQTT_TLS_KEY']),
    dataFolder: resolve(env.PEYK_DATA || '.peyk'),
    databaseUrl: databaseUrl(env, 'PEYK_DATABASE_URL'),
    databaseReadUrl: databaseUrl(env, 'PEYK_DATABASE_READ_URL'),
    nats: natsAddress(env.PEYK_NATS_URL),
    baseHost: env.PEYK_BASE_HOST?.toLowerCase().replace(/\.+$/, '') || undefined,
    trustProxy: list(env.PEYK_TRUST_PROXY),
    publicUrl: publicUrl(env.PEYK_PUBLIC_URL),
    metricsToken: env.PEYK_METRICS_TOKEN || undefined,
    traces: readTraceSettings(env),
    logLevel: logLevel(env.PEYK_LOG_LEVEL),
    secretKeys: list(env.PEYK_SECRET_KEY),
    simulatorPort: wholeNumber(env, 'PEYK_SIMULATOR_PORT', 0, 0, 65_535),
    simulatorUrl: env.PEYK_SIMULATOR_URL || undefined,
    crowdSize: env.PEYK_CROWD_SIZE ? wholeNumber(env, 'PEYK_CROWD_SIZE', 0, 0, 2_000) : undefined,
    webPushHosts: list(env.PEYK_WEBPUSH_HOSTS),
    pushesPerSecond: wholeNumber(env, 'PEYK_PUSH_RATE', 10_000, 1, 1e6),
    poolSize: wholeNumber(env, 'PEYK_DATABASE_POOL', Math.max(usualPool, usualPoolOfEach * processes), 3, 1_000),
    segmentIndexMb: wholeNumber(env, 'PEYK_SEGMENT_INDEX_MB', 1_024, 0, 1e6),
    tokenRequestsPerWindow: wholeNumber(env, 'PEYK_RATE_TOKEN', 200_000, 1, 1e9),
    addressRequestsPerWindow: wholeNumber(env, 'PEYK_RATE_ADDRESS', 200_000, 1, 1e9),
    failedTokensPerWindow: wholeNumber(env, 'PEYK_RATE_FAILED_TOKENS', 200, 1, 1e9),
    connectionsPerAddress: wholeNumber(env, 'PEYK_CONNECTIONS_ADDRESS', 20_000, 1, 1e9),
    connectionsPerApp: wholeNumber(env, 'PEYK_CONNECTIONS_APP', 1_000_000, 1, 1e9),
    packetsPerWindow: wholeNumber(env, 'PEYK_RATE_CLIENT', 500, 1, 1e9),
    registrationsPerWindow: wholeNumber(env, 'PEYK_RATE_REGISTRATIONS', 1_000, 1, 1e9),
    limitsOwnRegistrations: Boolean(env.PEYK_RATE_REGISTRATIONS),
    backupEveryHours: wholeNumber(env, 'PEYK_BACKUP_EVERY', 0, 0, 8_760),
    backupKeep: wholeNumber(env, 'PEYK_BACKUP_KEEP', 7, 1, 10_000),
    backupFolder: resolve(env.PEYK_BACKUP_FOLDER || join(env.PEYK_DATA || '.peyk', 'backups')),
    durations: readDurations(env.PEYK_TEST_DURATIONS, mode),
    isUnderNpm: Boolean(env.npm_lifecycle_event),
  }
}

export interface InspectedConfig {
  /** With the default in the place of what cannot be read. */
  config: Config
  faults: { message: string; variables: string[] }[]
  /** The settings that have a value. */
  set: string[]
  /** Variables that are named like settings, and that nothing reads. */
  unknown: string[]
}

/** For somebody who wants to know all that is wrong: goes on where `loadConfig` throws. */
export function inspectConfig(env: Record<string, string | undefined> = process.env): InspectedConfig {
  const known = listSettings()
  const given = Object.keys(env).filter((name) => env[name])
  const set = given.filter((name) => known.has(name))
  const unknown = given.filter((name) => /^PEYK_(?!TEST_)/.test(name) && !known.has(name))
  const faults: InspectedConfig['faults'] = []
  const readable = { ...env }
  for (;;) {
    try {
      return { config: loadConfig(readable), faults, set, unknown }
    } catch (error) {
      const variables = error instanceof ConfigError ? (error.message.match(/\b(?:PEYK|OTEL)_[A-Z_]+/g) ?? []) : []
      if (!variables.some((name) => readable[name])) throw error
      faults.push({ message: (error as ConfigError).message, variables })
      for (const name of variables) delete readable[name]
    }
  }
}

/** The names of all settings: what `loadConfig` asks for. */
export function listSettings(): Set<string> {
  const asked = new Set<string>()
  const get = (_env: object, name: string | symbol) => void asked.add(String(name))
  loadConfig(new Proxy({}, { get }))
  return new Set([...asked].filter((name) => name.startsWith('PEYK_')))
}

function wholeNumber(
  env: Record<string, string | undefined>,
  name: string,
  fallback: number,
  min: number,
  max: number,
) {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} is "${text}"; expected a whole number from ${min} to ${max}.`)
  }
  return value
}

function readRoles(text: string | undefined, databaseUrl: string | undefined): readonly Role[] {
  const named = list(text)
  const unknown = named.find((name) => !roles.some((role) => role === name))
  if (unknown !== undefined) {
    throw new ConfigError(`PEYK_ROLES has "${unknown}"; expected some of ${roles.join(', ')}, with commas.`)
  }
  const given = named.length === 0 ? roles : roles.filter((role) => named.includes(role))
  if (given.length < roles.length && !databaseUrl) {
    throw new ConfigError(
      'PEYK_ROLES leaves roles to other processes, and the embedded PostgreSQL has none: set PEYK_DATABASE_URL, too.',
    )
  }
  return given
}

function tlsFiles(env: Record<string, string | undefined>, variables: TlsFiles['variables']): TlsFiles | undefined {
  const [certificate, key] = variables.map((name) => env[name])
  if (!certificate && !key) return undefined
  if (certificate && key) return { certificate: resolve(certificate), key: resolve(key), variables }
  throw new ConfigError(`${variables.join(' and ')} belong together: set both or neither.`)
}

function databaseUrl(env: Record<string, string | undefined>, name: string) {
  const text = env[name]
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text)) throw new ConfigError(`${name} must start with postgres:// or postgresql://.`)
  return text
}

/** The address has secrets: it is not repeated. */
function natsAddress(text: string | undefined): NatsAddress | undefined {
  if (!text) return undefined
  const address = readNatsAddress(text)
  if (address) return address
  throw new ConfigError('PEYK_NATS_URL must be like nats://user:password@one:4222,two:4222, or begin with tls://.')
}

function publicUrl(text: string | undefined) {
  if (!text) return undefined
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (isOrigin) return url.origin
  throw new ConfigError(
    `PEYK_PUBLIC_URL is "${text}"; expected an address without a path, such as https://push.example.com.`,
  )
}

function logLevel(text: string | undefined) {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  if (!text) return 'info'
  if (!levels.includes(text))
    throw new ConfigError(`PEYK_LOG_LEVEL is "${text}"; expected one of ${levels.join(', ')}.`)
  return text
}

/**
 * Tests that start the service pass `{"deliveryLeaseMs": 1000}`. In development no proxy has to notice a stop, so
 * Ctrl-C is quick.
 */
function readDurations(text: string | undefined, mode: Config['mode']): Durations {
  const durations = mode === 'development' ? { ...defaultDurations, drainMs: 0 } : defaultDurations
  if (!text) return durations
  const given = readJson(text)
  const isKnown = ([name, ms]: [string, unknown]) =>
    Object.hasOwn(defaultDurations, name) && typeof ms === 'number' && ms > 0
  if (given === undefined || !Object.entries(given).every(isKnown)) {
    const names = Object.keys(defaultDurations).join(', ')
    throw new ConfigError(`PEYK_TEST_DURATIONS must be a JSON object of milliseconds; it may have ${names}.`)
  }
  return { ...durations, ...given }
}

function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}
