import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CredentialProvider } from '#features/accounts/providers/stored-provider.ts'
import { CommandError, type CommandInput, UsageError } from '../command.ts'
import { readFirstLine } from '../read-first-line.ts'

const always = ['app', 'force', 'simulated', 'json']

/** Which options each provider takes besides those of all. */
const optionsOf: Record<CredentialProvider, readonly string[]> = {
  fcm: ['file'],
  apns: ['file', 'key-id', 'team-id', 'bundle-id', 'environment'],
  webpush: ['subject', 'file', 'replace'],
  sms: ['file', 'twilio-sid', 'twilio-token-stdin', 'from', 'messaging-service', 'daily-limit'],
}

/** The credentials as the API takes them, from what was typed. */
export async function readProviderOptions(
  provider: CredentialProvider,
  input: CommandInput,
  known: readonly string[],
): Promise<Record<string, unknown>> {
  const foreign = known.find((name) => input.isOn(name) && ![...always, ...optionsOf[provider]].includes(name))
  if (foreign)
    throw new UsageError(`--${foreign} is not for ${provider}: it takes --${optionsOf[provider].join(', --')}.`)
  const flags = {
    ...(input.isOn('force') && { force: true }),
    ...(input.isOn('simulated') && { simulated: true }),
    ...(input.isOn('replace') && { replace: true }),
  }
  return { ...(await readers[provider](input)), ...flags }
}

const readers: Record<CredentialProvider, (input: CommandInput) => Promise<Record<string, unknown>>> = {
  fcm: async (input) => ({ file: await readText(fileOf(input, 'the service account JSON of Firebase')) }),

  apns: async (input) => {
    const path = fileOf(input, "the .p8 file of Apple's key")
    return {
      privateKey: await readText(path),
      keyId: input.text('key-id') ?? keyIdIn(path) ?? needed('key-id', 'the key id, as in AuthKey_<key id>.p8'),
      teamId: input.text('team-id') ?? needed('team-id', 'the ten characters of the team id'),
      bundleId: input.text('bundle-id') ?? needed('bundle-id', 'the bundle id, such as com.example.shop'),
      environment: input.text('environment') ?? needed('environment', 'production or sandbox'),
    }
  },

  webpush: async (input) => {
    const path = input.text('file')
    const pair = path === undefined ? {} : readJson(path, await readText(path))
    const subject = input.text('subject')
    return { ...pair, ...(subject !== undefined && { subject }) }
  },

  sms: async (input) => {
    const path = input.text('file')
    const dailyLimit = input.text('daily-limit')
    const limit = dailyLimit === undefined ? {} : { dailyLimit }
    if (path !== undefined) {
      if (input.isOn('twilio-sid')) throw new UsageError('Give --file or --twilio-sid, not both.')
      return { ...readJson(path, await readText(path)), ...limit }
    }
    const accountSid = input.text('twilio-sid') ?? needed('twilio-sid', 'the Account SID of Twilio; or --file <path>')
    if (!input.isOn('twilio-token-stdin')) needed('twilio-token-stdin', 'the Auth Token comes by the standard input')
    const from = input.text('from')
    const messagingServiceSid = input.text('messaging-service')
    return {
      kind: 'twilio',
      accountSid,
      authToken: await readFirstLine(),
      ...(from !== undefined && { from }),
      ...(messagingServiceSid !== undefined && { messagingServiceSid }),
      ...limit,
    }
  },
}

function fileOf(input: CommandInput, what: string): string {
  return input.text('file') ?? needed('file', what)
}

function needed(option: string, what: string): never {
  throw new UsageError(`Missing --${option}: ${what}.`)
}

function keyIdIn(path: string): string | undefined {
  return /^AuthKey_([A-Z0-9]{10})(?: ?\(\d+\))?\.p8$/.exec(basename(path))?.[1]
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new CommandError(`The file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

function readJson(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below, without the piece of the file that the parser would repeat.
  }
  throw new CommandError(`The file ${path} is not a JSON object.`)
}
