import { addTags, attributes, checker } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { readAttributes } from '../../installations/attributes/attribute-operation.ts'
import { checkTagCount } from '../../installations/tags/check-tag-count.ts'
import { deviceFields } from './column-map.ts'
import { type DeviceReading, type ImportDevice, listOf, readDevice } from './read-device.ts'

/** What one line brings. */
export interface ImportRecord {
  /** A guest's id is derived from the first device, so that the next import gets the same one. */
  userId: string
  isGuest: boolean
  tags: { tag: string; value: string | null }[]
  attributes: Record<string, unknown>
  devices: ImportDevice[]
}

type Fields = Readonly<Record<string, unknown>>

const checkTags = checker(addTags.body as NonNullable<typeof addTags.body>)
const checkAttributes = checker(attributes.body as NonNullable<typeof attributes.body>)

/** Reads a line by the API's rules. Throws what is wrong with it. Returns undefined for a guest without devices. */
export function readRecord(fields: Fields, reading: DeviceReading): ImportRecord | undefined {
  const given = textOf(fields.userId)
  const isGuest = given === undefined || String(fields.isGuest ?? '').toLowerCase() === 'true'
  const [tags, values] = [readTags(fields), readValues(fields)]
  const devices = readDevices(fields).map((device) => readDevice(device, reading))
  const names = tags.map(({ tag }) => tag)
  const hasValues = Object.keys(values).length > 0
  const [first] = devices
  if (!first && isGuest && given !== undefined) return undefined
  if (!first && names.length === 0 && !hasValues) throw fault('The line has no tag, attribute or device.')
  const userId = given ?? (first && `guest-${first.id}`)
  if (userId === undefined) throw fault('"userId" or a device is required where there are tags or attributes.')
  accept(checkTags({ userId, tags: names }))
  checkTagCount(names)
  if (hasValues) {
    accept(checkAttributes({ userId, attributes: values }))
    readAttributes(values)
  }
  const owned = devices.map((device) => ({
    ...device,
    body: { ...device.body, userId, ...(isGuest && { isGuest }) },
  }))
  return { userId, isGuest, tags, attributes: values, devices: owned }
}

function readDevices(fields: Fields): Fields[] {
  const { deviceToken, deviceType, installations } = fields
  const own = deviceToken || deviceType ? [pick(fields)] : []
  const listed = readJson('installations', installations) ?? []
  if (!Array.isArray(listed)) throw fault('"installations": expected an array of devices.')
  return [...own, ...listed]
}

function pick(fields: Fields): Fields {
  return Object.fromEntries(
    deviceFields.flatMap((name) => (textOf(fields[name]) === undefined ? [] : [[name, fields[name]]])),
  )
}

/** An object, an array, or texts such as "vip;city=tehran". */
function readTags(fields: Fields): ImportRecord['tags'] {
  const { tags } = fields
  const isList = typeof tags === 'string' && !/^\s*([[{]|null\s*$)/.test(tags)
  const sent = isList ? listOf(tags) : (readJson('tags', tags) ?? [])
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

/** In a spreadsheet, "true" and 1 stand for a tag without a value. */
function tagValue(value: unknown): string | null {
  if (value === null || value === undefined || value === true || value === '') return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readValues(fields: Fields): Record<string, unknown> {
  const sent = readJson('attributes', fields.attributes) ?? {}
  if (typeof sent !== 'object' || Array.isArray(sent))
    throw fault('"attributes": expected an object of names and values.')
  return { ...sent, ...Object.fromEntries(prefixed(fields, 'attributes.')) }
}

function prefixed(fields: Fields, prefix: string): [string, unknown][] {
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

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function accept({ fault: wrong }: { fault?: { message: string } | undefined }): void {
  if (wrong) throw fault(wrong.message)
}

function fault(message: string): RequestError {
  return new RequestError('invalid-request', message)
}
