import { createHash } from 'node:crypto'
import { addTags, attributes, type BodyOf, checker, registerInstallation } from '@peyk/contract'
import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'
import { readAttributes } from '../../installations/attributes/attribute-operation.ts'
import { checkTagCount } from '../../installations/tags/check-tag-count.ts'

type Body = BodyOf<typeof registerInstallation>

/** What one line brings. */
export interface ImportRecord {
  userId: string | undefined
  tags: { tag: string; value: string | null }[]
  attributes: Record<string, unknown>
  devices: (Body & { id: string })[]
}

export interface Reading {
  appLabel: string
  /** What the file calls device types, and what they are. */
  deviceTypes: ReadonlyMap<string, string>
}

const checkDevice = checker(registerInstallation.body as NonNullable<typeof registerInstallation.body>)
const checkTags = checker(addTags.body as NonNullable<typeof addTags.body>)
const checkAttributes = checker(attributes.body as NonNullable<typeof attributes.body>)

/** A line by its fields, with the same rules as the API; throws what is wrong with it. Undefined: a guest, whom nobody can name. */
export function readRecord(fields: Readonly<Record<string, unknown>>, reading: Reading): ImportRecord | undefined {
  if (String(fields.isGuest ?? '').toLowerCase() === 'true') return undefined
  const userId = textOf(fields.userId)
  const record: ImportRecord = {
    userId,
    tags: readTags(fields),
    attributes: readValues(fields),
    devices: readDevices(fields, userId, reading),
  }
  const { tags, attributes: values, devices } = record
  if (tags.length + Object.keys(values).length + devices.length === 0)
    throw fault('The line has no tag, attribute or device.')
  if (userId === undefined && tags.length + Object.keys(values).length > 0)
    throw fault('"userId" is required where there are tags or attributes.')
  if (tags.length > 0) {
    const names = tags.map(({ tag }) => tag)
    accept(checkTags({ userId, tags: names }))
    checkTagCount(names)
  }
  if (Object.keys(values).length > 0) {
    accept(checkAttributes({ userId, attributes: values }))
    readAttributes(values)
  }
  return record
}

function readDevices(fields: Readonly<Record<string, unknown>>, userId: string | undefined, reading: Reading) {
  const { deviceToken, deviceType, installations } = fields
  const own = deviceToken || deviceType ? [pick(fields)] : []
  const listed = readJson('installations', installations) ?? []
  if (!Array.isArray(listed)) throw fault('"installations": expected an array of devices.')
  return [...own, ...listed].map((device) => readDevice(device as Record<string, unknown>, userId, reading))
}

const deviceFields = [
  ...['deviceToken', 'deviceType', 'language', 'timeZone', 'installDate', 'clientVersion', 'osVersion'],
  'subscriptions',
]

function pick(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    deviceFields.flatMap((name) => (fields[name] === undefined || fields[name] === '' ? [] : [[name, fields[name]]])),
  )
}

function readDevice(
  { id: given, installedAt, ...sent }: Record<string, unknown>,
  userId: string | undefined,
  { appLabel, deviceTypes }: Reading,
): Body & { id: string } {
  const type = String(sent.deviceType ?? '')
  const subscriptions = typeof sent.subscriptions === 'string' ? listOf(sent.subscriptions) : sent.subscriptions
  const { value, fault: wrong } = checkDevice({
    ...sent,
    deviceType: deviceTypes.get(type) ?? type,
    ...(installedAt !== undefined && { installDate: Date.parse(String(installedAt)) }),
    ...(subscriptions !== undefined && { subscriptions }),
    ...(userId !== undefined && { userId }),
  }) as { value: Body; fault?: { field: string; message: string } }
  if (wrong) throw fault(wrong.message)
  if (value.deviceToken === undefined && !isUuid(given)) throw fault('"deviceToken" is required.')
  const token = typeof value.deviceToken === 'string' ? value.deviceToken : JSON.stringify(value.deviceToken)
  return { ...value, id: isUuid(given) ? given.toLowerCase() : idOf(appLabel, token) }
}

/** The same for the same token, so that a device that is imported again is known. */
function idOf(appLabel: string, token: string): string {
  const digits = createHash('sha256').update(`peyk import\n${appLabel}\n${token}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** An object, an array, or texts such as "vip;city=tehran". */
function readTags(fields: Readonly<Record<string, unknown>>): ImportRecord['tags'] {
  const { tags } = fields
  const sent = typeof tags === 'string' && !/^\s*[[{]/.test(tags) ? listOf(tags) : (readJson('tags', tags) ?? [])
  const all = Array.isArray(sent)
    ? sent.map(readTag)
    : Object.entries(sent as object).map(([tag, value]) => ({ tag, value }))
  const single = prefixed(fields, 'tags.').map(([tag, value]) => ({ tag, value }))
  return [...all, ...single].map(({ tag, value }) => ({ tag: String(tag), value: tagValue(value) }))
}

function readTag(text: unknown): { tag: string; value: unknown } {
  const [tag = '', ...value] = String(text).split('=')
  return { tag: tag.trim(), value: value.length > 0 ? value.join('=').trim() : null }
}

/** A tag that a spreadsheet says is true or 1 has no value of its own. */
function tagValue(value: unknown): string | null {
  return value === null || value === undefined || value === true || value === '' ? null : String(value)
}

function readValues(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sent = readJson('attributes', fields.attributes) ?? {}
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw fault('"attributes": expected an object of names and values.')
  return { ...sent, ...Object.fromEntries(prefixed(fields, 'attributes.')) }
}

function prefixed(fields: Readonly<Record<string, unknown>>, prefix: string): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    name.startsWith(prefix) && value !== '' && value !== null ? [[name.slice(prefix.length), value]] : [],
  )
}

function readJson(field: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw fault(`"${field}": expected JSON.`)
  }
}

function listOf(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function accept({ fault: wrong }: { fault?: { message: string } | undefined }): void {
  if (wrong) throw fault(wrong.message)
}

function fault(message: string): RequestError {
  return new RequestError('invalid-request', message)
}
