import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { versionKey } from '../installations/version-key.ts'
import { type AttributeValue, type Device, kindOf, type Person, type World } from './evaluate.test-support.ts'

/** A small random generator with a seed, so that a failure can be repeated. */
export function seeded(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  return { next, below, pick, chance: (share: number) => next() < share }
}

type Random = ReturnType<typeof seeded>

/** Few different values, so that rules meet them: each list is also what the rules are made of. */
export const vocabulary = {
  tags: ['vip', 'buyer', 'city', 'plan'],
  tagValues: ['tehran', 'shiraz', 'gold', '7'],
  deviceTypes: ['android', 'ios', 'web'],
  versions: ['1', '1.0', '1.9', '1.10', '2.0.1', '10'],
  languages: ['fa', 'en', 'ar'],
  timeZones: ['Asia/Tehran', 'UTC'],
  channels: ['public/news', 'orders', 'public/sport'],
  numbers: [-1, 0, 1, 2, 2.5, 3, 10],
  texts: ['red', 'blue', '3', `${'long '.repeat(20)}a`, `${'long '.repeat(20)}b`, `${'ل'.repeat(99)}😀😀`],
  events: ['purchase', 'opened', 'v1.2 seen'],
  attributes: ['age', 'colour', 'isPremium', 'bornAt', 'likes', 'score', 'theme', 'pets'],
} as const

const hour = 3_600_000

const attributeKinds: World['kinds'] = new Map([
  ['age', 'number'],
  ['colour', 'text'],
  ['isPremium', 'boolean'],
  ['bornAt', 'date'],
  ['likes', 'list'],
  ['score', 'number'],
  ['theme', 'text'],
  ['pets', 'list'],
])
const ownAttributes = ['score', 'theme', 'pets']

export function hoursAgo(at: number, random: Random): number {
  return at - random.below(6) * hour + random.below(3) - 1
}

function makeValue(name: string, at: number, random: Random): AttributeValue {
  const kinds = ['number', 'text', 'boolean', 'date', 'list'] as const
  const kind = random.chance(0.9) ? attributeKinds.get(name) : random.pick(kinds)
  if (kind === 'number') return random.pick(vocabulary.numbers)
  if (kind === 'boolean') return random.chance(0.5)
  if (kind === 'date') return new Date(hoursAgo(at, random))
  if (kind === 'text') return random.pick(vocabulary.texts)
  return vocabulary.texts.filter(() => random.chance(0.3))
}

function makeAttributes(names: readonly string[], at: number, random: Random): Map<string, AttributeValue> {
  const chosen = names.filter(() => random.chance(0.4))
  return new Map(chosen.map((name) => [name, makeValue(name, at, random)]))
}

export function makeWorld(seed: number, size: { people: number; devices: number }, at: number): World {
  const random = seeded(seed)
  const people = Array.from({ length: size.people }, (_, index) => makePerson(`user-${index}`, at, random))
  const devices = Array.from({ length: size.devices }, (): Device => makeDevice(random.pick(people), at, random))
  return { devices, kinds: attributeKinds, at }
}

function makePerson(userId: string, at: number, random: Random): Person {
  const tags = vocabulary.tags.filter(() => random.chance(0.4))
  return {
    no: 0,
    userId,
    tags: new Map(tags.map((tag) => [tag, random.chance(0.4) ? null : random.pick(vocabulary.tagValues)])),
    attributes: makeAttributes(vocabulary.attributes, at, random),
  }
}

function makeDevice(person: Person, at: number, random: Random): Device {
  const counted = vocabulary.events.filter(() => random.chance(0.4))
  return {
    no: 0,
    id: randomUUID(),
    person,
    installedAt: hoursAgo(at, random) + random.pick([0, 0.5]),
    launchedAt: hoursAgo(at, random) + random.pick([0, 0.5]),
    createdAt: at + random.pick([-hour, -1, 0, 0.9, 1, hour]),
    isUninstalled: random.chance(0.1),
    launchCount: 1 + random.below(4),
    deviceType: random.pick(vocabulary.deviceTypes),
    clientVersion: random.pick([...vocabulary.versions, 'beta', null]),
    osVersion: random.pick([...vocabulary.versions, null]),
    language: random.pick([...vocabulary.languages, null]),
    timeZone: random.pick([...vocabulary.timeZones, null]),
    channels: vocabulary.channels.filter(() => random.chance(0.2)),
    attributes: makeAttributes(ownAttributes, at, random),
    counters: new Map(
      counted.map((key) => {
        const values = Array.from({ length: random.below(4) }, () => random.pick(vocabulary.numbers))
        const count = values.length + random.below(3) + 1
        const moments = [hoursAgo(at, random), hoursAgo(at, random)] as const
        return [key, { count, firstAt: Math.min(...moments), lastAt: Math.max(...moments), values }]
      }),
    ),
  }
}

/** Gives some people and devices other facts, and some devices to other people. Answers whom it changed. */
export function changeWorld(world: World, random: Random): Changed {
  const people = peopleOf(world)
  const changed: Changed = {
    people: people.filter(() => random.chance(0.05)),
    devices: world.devices.filter(() => random.chance(0.05)),
  }
  for (const person of changed.people) {
    const { no, userId } = person
    Object.assign(person, makePerson(userId, world.at, random), { no })
  }
  for (const device of changed.devices) {
    const { no, id, createdAt } = device
    const owner = random.chance(0.5) ? random.pick(people) : device.person
    Object.assign(device, makeDevice(owner, world.at, random), { no, id, createdAt })
  }
  return changed
}

export interface Changed {
  people: Person[]
  devices: Device[]
}

function peopleOf(world: World): Person[] {
  return [...new Set(world.devices.map((device) => device.person))]
}

/** Stores a world as the app's, and sets the numbers that the store gave. */
export async function storeWorld(ctx: Context, world: World): Promise<void> {
  const people = peopleOf(world)
  const appId = ctx.app.id
  const users = await ctx.store.query<{ user_no: number; user_id: string }>(
    sql`insert into users (app_id, user_id) select ${appId}, unnest(${people.map((person) => person.userId)}::text[])
        returning user_no, user_id`,
  )
  const numbers = new Map(users.map((user) => [user.user_id, user.user_no]))
  for (const person of people) person.no = numbers.get(person.userId) as number
  const names = [...world.kinds].map(([name, kind]) => ({ name, kind, own: ownAttributes.includes(name) }))
  await ctx.store.query(
    sql`insert into attribute_names (app_id, name, kind, on_installation)
        select ${appId}, * from jsonb_to_recordset(${JSON.stringify(names)}) as r(name text, kind text, own boolean)`,
  )
  await storeFacts(ctx, { people, devices: world.devices })
}

/** What changed, as the service would write it: rows that stay are updated. */
export async function storeChanged(ctx: Context, changed: Changed): Promise<void> {
  const { app, store } = ctx
  for (const { no, tags, attributes } of changed.people) {
    const kept = [...tags.keys()]
    await store.query(sql`delete from user_tags where app_id = ${app.id} and user_no = ${no} and tag <> all(${kept})`)
    await store.query(
      sql`delete from user_attributes where app_id = ${app.id} and user_no = ${no} and name <> all(${[...attributes.keys()]})`,
    )
  }
  for (const { no, attributes, counters } of changed.devices) {
    await store.query(
      sql`delete from installation_attributes
          where app_id = ${app.id} and installation_no = ${no} and name <> all(${[...attributes.keys()]})`,
    )
    await store.query(
      sql`delete from event_counters
          where app_id = ${app.id} and installation_no = ${no} and event_key <> all(${[...counters.keys()]})`,
    )
  }
  await storeFacts(ctx, changed)
}

async function storeFacts(ctx: Context, { people, devices }: Changed): Promise<void> {
  const appId = ctx.app.id
  await storeDevices(ctx, devices)
  const tags = people.flatMap((person) => [...person.tags].map(([tag, value]) => ({ user_no: person.no, tag, value })))
  await ctx.store.query(
    sql`insert into user_tags (app_id, user_no, tag, value)
        select ${appId}, * from jsonb_to_recordset(${JSON.stringify(tags)}) as r(user_no bigint, tag text, value text)
        on conflict (app_id, user_no, tag) do update set value = excluded.value`,
  )
  const ofPeople = people.flatMap((person) => attributeRows(person.no, person.attributes))
  const ofDevices = devices.flatMap((device) => attributeRows(device.no, device.attributes))
  await ctx.store.query(
    sql`insert into user_attributes (app_id, user_no, name, kind, number, text, list, value)
        select ${appId}, * from jsonb_to_recordset(${JSON.stringify(ofPeople)})
          as r(owner bigint, name text, kind text, number float8, text text, list text[], value jsonb)
        on conflict (app_id, user_no, name) do update set kind = excluded.kind, number = excluded.number,
          text = excluded.text, list = excluded.list, value = excluded.value`,
  )
  await ctx.store.query(
    sql`insert into installation_attributes (app_id, installation_no, name, kind, number, text, list, value)
        select ${appId}, * from jsonb_to_recordset(${JSON.stringify(ofDevices)})
          as r(owner bigint, name text, kind text, number float8, text text, list text[], value jsonb)
        on conflict (app_id, installation_no, name) do update set kind = excluded.kind, number = excluded.number,
          text = excluded.text, list = excluded.list, value = excluded.value`,
  )
  await storeCounters(ctx, devices)
}

function attributeRows(owner: number, attributes: Map<string, AttributeValue>) {
  return [...attributes].map(([name, value]) => ({
    owner,
    name,
    kind: kindOf(value),
    number: typeof value === 'string' || Array.isArray(value) ? null : Number(value),
    text: typeof value === 'string' ? value : null,
    list: Array.isArray(value) ? value : null,
    value: JSON.stringify(value),
  }))
}

async function storeDevices(ctx: Context, devices: Device[]): Promise<void> {
  const moment = (ms: number) => new Date(Math.floor(ms)).toISOString().replace('Z', ms % 1 === 0 ? 'Z' : '500Z')
  const rows = devices.map((device) => ({
    ...device,
    person: undefined,
    attributes: undefined,
    counters: undefined,
    user_no: device.person.no,
    installed: moment(device.installedAt),
    launched: moment(device.launchedAt),
    created: moment(device.createdAt),
    client_key: (device.clientVersion && versionKey(device.clientVersion)) ?? null,
    os_key: (device.osVersion && versionKey(device.osVersion)) ?? null,
  }))
  const stored = await ctx.store.query<{ id: string; installation_no: number }>(
    sql`insert into installations (app_id, user_no, id, installed_at, launched_at, logged_in_at, created_at,
          uninstalled_at, launch_count, is_guest, device_type, client_version, client_version_key, os_version,
          os_version_key, language, time_zone, subscriptions)
        select ${ctx.app.id}, user_no, id, installed, launched, launched, created,
          case when "isUninstalled" then now() end, "launchCount", false, "deviceType", "clientVersion", client_key,
          "osVersion", os_key, language, "timeZone", channels
        from jsonb_to_recordset(${JSON.stringify(rows)}) as r(user_no bigint, id uuid, installed timestamptz,
          launched timestamptz, created timestamptz, "isUninstalled" boolean, "launchCount" int, "deviceType" text,
          "clientVersion" text, client_key text, "osVersion" text, os_key text, language text, "timeZone" text,
          channels text[])
        on conflict (app_id, id) do update set user_no = excluded.user_no, installed_at = excluded.installed_at,
          launched_at = excluded.launched_at, uninstalled_at = excluded.uninstalled_at, launch_count = excluded.launch_count,
          device_type = excluded.device_type, client_version_key = excluded.client_version_key,
          os_version_key = excluded.os_version_key, language = excluded.language, time_zone = excluded.time_zone,
          subscriptions = excluded.subscriptions
        returning id, installation_no`,
  )
  const numbers = new Map(stored.map((row) => [row.id, row.installation_no]))
  for (const device of devices) device.no = numbers.get(device.id) as number
}

async function storeCounters(ctx: Context, devices: Device[]): Promise<void> {
  const rows = devices.flatMap((device) =>
    [...device.counters].map(([key, { count, firstAt, lastAt, values }]) => ({
      installation_no: device.no,
      key,
      count,
      first: new Date(firstAt),
      last: new Date(lastAt),
      value_count: values.length,
      sum: values.length === 0 ? null : values.reduce((total, value) => total + value, 0),
      min: values.length === 0 ? null : Math.min(...values),
      max: values.length === 0 ? null : Math.max(...values),
      newest: values.at(-1) ?? null,
    })),
  )
  await ctx.store.query(
    sql`insert into event_counters (app_id, installation_no, event_key, count, first_at, last_at, value_count,
          value_sum, value_min, value_max, value_last)
        select ${ctx.app.id}, * from jsonb_to_recordset(${JSON.stringify(rows)}) as r(installation_no bigint, key text,
          count bigint, first timestamptz, last timestamptz, value_count bigint, sum numeric, min numeric, max numeric,
          newest numeric)
        on conflict (app_id, event_key, installation_no) do update set count = excluded.count,
          first_at = excluded.first_at, last_at = excluded.last_at, value_count = excluded.value_count,
          value_sum = excluded.value_sum, value_min = excluded.value_min, value_max = excluded.value_max,
          value_last = excluded.value_last`,
  )
}
