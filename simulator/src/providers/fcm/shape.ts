import { isObject } from '../json.ts'
import type { FieldViolation } from './error.ts'

/** What a field of FCM's request holds. `map`: of strings; `struct`: any object. */
type Kind =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'duration'
  | 'time'
  | 'color'
  | 'map'
  | 'data'
  | 'struct'
  | 'strings'
  | 'durations'
interface Fields {
  [name: string]: Kind | readonly string[] | Fields
}

const options: Fields = { analytics_label: 'string' }

const androidNotification: Fields = {
  title: 'string',
  body: 'string',
  icon: 'string',
  color: 'color',
  sound: 'string',
  tag: 'string',
  click_action: 'string',
  body_loc_key: 'string',
  body_loc_args: 'strings',
  title_loc_key: 'string',
  title_loc_args: 'strings',
  channel_id: 'string',
  ticker: 'string',
  sticky: 'boolean',
  event_time: 'time',
  local_only: 'boolean',
  notification_priority: [
    'PRIORITY_UNSPECIFIED',
    'PRIORITY_MIN',
    'PRIORITY_LOW',
    'PRIORITY_DEFAULT',
    'PRIORITY_HIGH',
    'PRIORITY_MAX',
  ],
  default_sound: 'boolean',
  default_vibrate_timings: 'boolean',
  default_light_settings: 'boolean',
  vibrate_timings: 'durations',
  visibility: ['VISIBILITY_UNSPECIFIED', 'PRIVATE', 'PUBLIC', 'SECRET'],
  notification_count: 'integer',
  light_settings: {
    color: { red: 'number', green: 'number', blue: 'number', alpha: 'number' },
    light_on_duration: 'duration',
    light_off_duration: 'duration',
  },
  image: 'string',
  proxy: ['PROXY_UNSPECIFIED', 'ALLOW', 'DENY', 'IF_PRIORITY_LOWERED'],
}

const message: Fields = {
  name: 'string',
  token: 'string',
  data: 'data',
  notification: { title: 'string', body: 'string', image: 'string' },
  android: {
    collapse_key: 'string',
    priority: ['NORMAL', 'HIGH'],
    ttl: 'duration',
    restricted_package_name: 'string',
    data: 'data',
    notification: androidNotification,
    fcm_options: options,
    direct_boot_ok: 'boolean',
    bandwidth_constrained_ok: 'boolean',
    restricted_satellite_ok: 'boolean',
  },
  webpush: { headers: 'map', data: 'data', notification: 'struct', fcm_options: { link: 'string', ...options } },
  apns: {
    headers: 'map',
    payload: 'struct',
    live_activity_token: 'string',
    fcm_options: { image: 'string', ...options },
  },
  fcm_options: options,
  topic: 'string',
  condition: 'string',
}

const request: Fields = { message, validate_only: 'boolean' }

const durationForm = /^-?\d{1,12}(\.\d{1,9})?s$/
const colorForm = /^#[0-9a-f]{6}$/i
/** Keys of `data` that FCM keeps for itself. */
const reservedKey = /^(from|message_type|google\..*|gcm\..*|gcm|google)$/

const isStringMap = (value: unknown) =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string')
const isDuration = (value: unknown) => typeof value === 'string' && durationForm.test(value)
const isListOf = (is: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is)
const isString = (value: unknown) => typeof value === 'string'

const is: Record<Kind, (value: unknown) => boolean> = {
  string: isString,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  duration: isDuration,
  time: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  color: (value) => typeof value === 'string' && colorForm.test(value),
  map: isStringMap,
  data: (value) => isStringMap(value) && !Object.keys(value as object).some((key) => reservedKey.test(key)),
  struct: isObject,
  strings: isListOf(isString),
  durations: isListOf(isDuration),
}

/** The first field that FCM would not take. Names are taken in both of Google's spellings. */
export function findShapeProblem(body: unknown): FieldViolation | undefined {
  return checkFields(body, request, '')
}

function checkFields(value: unknown, fields: Fields, path: string): FieldViolation | undefined {
  if (!isObject(value)) return { field: path, description: `Invalid value at '${path}': an object is expected` }
  for (const name in value) {
    const known = Object.hasOwn(fields, name) ? name : snakeCase(name)
    if (!Object.hasOwn(fields, known)) {
      const where = path === '' ? '' : ` at '${path}'`
      const description = `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`
      return { field: path, description }
    }
    const kind = fields[known] as Fields[string]
    const field = path === '' ? name : `${path}.${name}`
    const content = value[name]
    if (content === null) continue
    if (typeof kind === 'string') {
      if (!is[kind](content))
        return { field, description: `Invalid value at '${field}' (${kind}), ${shortly(content)}` }
    } else if (Array.isArray(kind)) {
      if (!kind.includes(String(content).toUpperCase())) {
        return { field, description: `Invalid value at '${field}' (enum), ${shortly(content)}` }
      }
    } else {
      const problem = checkFields(content, kind as Fields, field)
      if (problem) return problem
    }
  }
  return undefined
}

const snakeNames = new Map<string, string>()

function snakeCase(name: string): string {
  let snake = snakeNames.get(name)
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (snakeNames.size < 1000) snakeNames.set(name, snake)
  }
  return snake
}

function shortly(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 100)
}
