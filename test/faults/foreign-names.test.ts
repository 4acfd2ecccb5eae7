import * as contract from '@peyk/contract'
import type { Context } from '@peyk/server/base/context.ts'
import { apiRoutes } from '@peyk/server/entry/http/api.ts'
import { clientRoutes } from '@peyk/server/entry/http/client.ts'
import { panelRoutes, sessionRoutes } from '@peyk/server/entry/http/panel.ts'
import { createMember } from '@peyk/server/features/accounts/members/create-member.ts'
import { createCampaign } from '@peyk/server/features/campaigns/create-campaign.ts'
import sql, { raw } from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestApp, createTestToken } from '../helpers/database/test-store.ts'
import { createTestMember } from '../helpers/panel-caller.ts'
import { effort } from '../helpers/runner/effort.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, ctx, store, token } = await createTestServer()
const other = await createTestApp(store)
const victim = await createMember(other, {
  email: 'admin@other.example',
  role: 'admin',
  password: 'correct horse battery',
})
const { key } = await createTestMember(ctx, 'admin')

interface Target {
  method: string
  path: string
  endpoint: contract.AnyEndpoint
  isPanel: boolean
}

const apiTargets = [...apiRoutes, ...clientRoutes].map((route): Target => ({ ...route, isPanel: false }))
const panelTargets = [
  ...sessionRoutes.map((route): Target => ({ ...route, path: `/panel/api${route.path}`, isPanel: true })),
  ...panelRoutes.map((route): Target => ({ ...route, path: `/panel/api/apps/:app${route.path}`, isPanel: true })),
]

/** Values that would take over an account, another app, or another object if a verb read them. */
const dangerous: Record<string, unknown> = {
  session: { memberId: victim.id, email: victim.email, byLink: true, createdAt: 4e12, hash: '00' },
  ...{ memberId: victim.id, member: { id: victim.id, role: 'admin' }, email: victim.email, role: 'admin' },
  ...{ appId: other.app.id, app: other.app, appIds: [other.app.id], label: other.app.label, abilities: ['settings'] },
  ...{ createdAt: 4e12, updatedAt: 4e12, sentAt: 1, expireAt: 1, expiresAt: 4e12, at: 1, now: 1, state: 'sent' },
  ...{ byLink: true, byQuery: true, isInvited: false, isOwn: true, isTest: true, isAudited: false, hash: '00' },
  ...{ id: victim.id, ids: [victim.id], messageId: victim.id, installationNo: 1, userNo: 1, users: ['omid'] },
  ...{
    password: 'chosen by the caller',
    passwordHash: 'none',
    secret: 'x',
    token: 'x',
    tokenId: victim.id,
    scopes: ['server'],
  },
  ...{
    address: '192.0.2.1',
    browser: 'x',
    change: { content: 'x' },
    set: 'x',
    confirmed: 1,
    approvedBy: 'x',
    count: 9,
  },
  ...{ target: {}, segment: { all: [] }, templateId: 'x', content: 'x', product: 'message', audience: 'query' },
}
const sharpest = ['session', 'memberId', 'appId', 'role', 'id', 'password', 'byLink', 'createdAt']

/** With effort, every name that any endpoint or any column of the database has. */
async function listNames(): Promise<string[]> {
  const columns = await store.query<{ column_name: string }>(
    sql`select distinct column_name::text from information_schema.columns where table_schema = 'public'`,
  )
  const camel = columns.map(({ column_name }) =>
    column_name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  const known = Object.values(contract as Record<string, unknown>).flatMap((each) => {
    const { body, query, answer } = (each ?? {}) as Partial<contract.AnyEndpoint>
    return [body, query, answer].flatMap((schema) => Object.keys(schema?.properties ?? {}))
  })
  return [...new Set([...Object.keys(dangerous), ...known, ...camel])]
}

interface Request {
  query: Record<string, string>
  body: unknown
}

interface Place {
  field: string
  /** The request, or the example, with this name at this place. */
  put(name: string, value: unknown, to?: Request): Request
  has(name: string): boolean
}

/** Every object of the example whose names are closed, and the query. */
function placesOf({ endpoint, method }: Target): Place[] {
  const example: Request = { query: { ...endpoint.example.query }, body: structuredClone(endpoint.example.body) }
  const places: Place[] = []
  const queryNames = Object.keys(endpoint.query?.properties ?? {})
  places.push({
    field: '',
    has: (name) => name === 'access_token' || queryNames.includes(name),
    put: (name, _value, to = example) => ({ ...to, query: { ...to.query, [name]: '1' } }),
  })
  if (endpoint.file || endpoint.image || method === 'GET') return places
  const known = endpoint.body ? contract.knownNames(endpoint.body) : { fields: new Map() }
  const root = example.body ?? (endpoint.body ? undefined : {})
  const visit = (names: contract.KnownNames | undefined, value: unknown, path: (string | number)[]): void => {
    if (!names || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      const items = path.length === 0 && endpoint.maxBodies !== undefined ? names : names.items
      for (const [index, each] of value.entries()) visit(items, each, [...path, index])
      return
    }
    const { fields, values } = names
    if (fields) {
      places.push({
        field: path
          .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
          .join('')
          .replace(/^\./, ''),
        has: (name) => name === 'idempotencyKey' || fields.has(name),
        put: (name, given, to = example) => {
          const copy = { ...to, body: structuredClone(to.body ?? {}) }
          const holder = path.reduce<Record<string | number, unknown>>(
            (at, step) => at[step] as Record<string | number, unknown>,
            copy.body as Record<string, unknown>,
          )
          holder[name] = given
          return copy
        },
      })
    }
    for (const [name, inner] of Object.entries(value))
      visit(fields ? fields.get(name) : values?.inside, inner, [...path, name])
  }
  visit(known, root, [])
  return places
}

interface Given {
  app: Context['app']
  token: string
  params?: Record<string, string>
}

async function send(target: Target, given: Given, { query, body }: Request) {
  const { endpoint, method, isPanel } = target
  const params: Record<string, string> = { ...endpoint.example.params, ...given.params, app: given.app.label }
  const path = target.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))
  const search = new URLSearchParams(query as Record<string, string>)
  const form = new FormData()
  if (endpoint.file) {
    for (const [name, value] of Object.entries((body ?? {}) as object)) form.append(name, String(value))
    form.append('file', new Blob(['A-1\nB-2\n']), 'codes.csv')
  }
  const hasJson = !endpoint.file && body !== undefined && method !== 'GET'
  const response = await fetch(`${baseUrl}${path}?${search}`, {
    method,
    headers: {
      ...(isPanel ? { origin: baseUrl, cookie: `peyk=${key}` } : { 'x-access-token': given.token }),
      ...(hasJson && { 'content-type': 'application/json' }),
    },
    ...(endpoint.file && { body: form }),
    ...(hasJson && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined }
}

/** Everything that is stored, but for what every request may touch. */
async function storedRows(): Promise<Record<string, string>> {
  const tables = await store.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    if (/^(access_tokens|member_sessions)$/.test(name)) continue
    const [row] = await store.query<{ digest: string }>(
      sql`select count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest from ${raw(`"${name}"`)} t`,
    )
    rows[name] = row?.digest as string
  }
  return rows
}

it(
  'a name that an endpoint does not know is refused wherever it stands, and nothing is stored',
  async () => {
    const names = await listNames()
    const refusing = [
      ...apiTargets.filter(({ endpoint }) => contract.unknownNamePolicy(endpoint) === 'refuse'),
      ...panelTargets,
    ]
    expect(refusing.length).toBeGreaterThan(200)
    const before = await storedRows()
    const wrong: string[] = []
    let requests = 0
    for (const [number, target] of refusing.entries()) {
      const cases = placesOf(target).flatMap((place) => {
        const foreign = names.filter((name) => !place.has(name))
        const fixed = sharpest.filter((name) => !place.has(name))
        const count = Math.min(effort.foreignNamesPerPlace, foreign.length)
        // Some of the sharpest in turn, so that few requests for each route still try all of them.
        const chosen = count === foreign.length ? foreign : [...rotated(fixed, number), ...foreign].slice(0, count)
        return [...new Set(chosen)].map((name) => ({ place, name }))
      })
      for (const group of chunks(cases, 16)) {
        await Promise.all(
          group.map(async ({ place, name }) => {
            requests++
            const answer = await send(target, { app: ctx.app, token }, place.put(name, dangerous[name] ?? 'x'))
            const field = place.field ? `${place.field}.${name}` : name
            const { code, details } = answer.body?.error ?? {}
            const found = details?.index === undefined ? details?.field : `[${details.index}].${details.field}`
            if (answer.status !== 400 || code !== 'unknown-field' || found !== field)
              wrong.push(`${target.method} ${target.path} with ${field}: ${answer.status} ${code} ${found}`)
          }),
        )
      }
    }
    expect(wrong).toEqual([])
    expect(requests).toBeGreaterThan(600)
    expect(await storedRows()).toEqual(before)
  },
  effort.timeoutMs,
)

/** Two apps with the same users, devices and campaigns. */
async function createTwin(): Promise<Given & { ctx: Context; installationId: string }> {
  const twin = await createTestApp(store)
  const secret = await createTestToken(twin)
  const given = { app: twin.app, token: secret }
  const register = apiOrClient(contract.registerInstallation)
  let installationId = ''
  for (const userId of ['omid', '989121234567', 'sara', 'ali']) {
    const made = await send(register, given, { query: {}, body: { userId, deviceType: 'android' } })
    installationId = made.body.id
  }
  for (const trackId of ['nowruz-sale', 'come-back']) await createCampaign(twin, { trackId })
  return { ...given, ctx: twin, installationId, params: { id: installationId } }
}

function apiOrClient(endpoint: contract.AnyEndpoint): Target {
  return apiTargets.find((target) => target.endpoint === endpoint) as Target
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const deviceFields = new Set(Object.keys(contract.getInstallation.answer.properties))

/** What is not the same for two apps or at two moments becomes a word. Further fields of a device are kept by design. */
function comparable(value: unknown, { app, installationId }: { app: Context['app']; installationId: string }): string {
  const text = JSON.stringify(value, function (this: object, name, inner) {
    if (/(_no|_nos|^app_id|hash|secret|warnings|unknownFields|requestId)$/.test(name)) return undefined
    const isFurther = Object.hasOwn(dangerous, name) && !deviceFields.has(name)
    return isFurther && isOfDevice(this) ? undefined : inner
  })
  return text
    .replaceAll(app.label, '<app>')
    .replaceAll(installationId, '<device>')
    .replaceAll(uuid, '<id>')
    .replaceAll(/"?\b20\d\d-\d\d-\d\d[T ][\d:.]+(?:Z|[+-][\d:]+)?"?|\b\d{13}\b/g, '<time>')
}

/** An answer with a device, or the stored fields of one that have no column. */
function isOfDevice(holder: object): boolean {
  return 'launchCount' in holder || sharpest.every((name) => name in holder || deviceFields.has(name))
}

async function rowsOf(twin: {
  ctx: Context
  app: Context['app']
  installationId: string
}): Promise<Record<string, string[]>> {
  const tables = await store.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'app_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`)
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    if (name === 'access_tokens') continue
    const found = await store.query<{ row: unknown }>(
      sql`select to_jsonb(t) as row from ${raw(`"${name}"`)} t where app_id = ${twin.app.id}`,
    )
    rows[name] = found.map(({ row }) => comparable(row, twin)).sort()
  }
  return rows
}

it(
  'endpoints that must take unknown names do the same with them as without',
  async () => {
    const names = effort.isLong ? await listNames() : Object.keys(dangerous)
    const taking = apiTargets.filter(({ endpoint }) => contract.unknownNamePolicy(endpoint) !== 'refuse')
    expect(taking.length).toBeGreaterThan(30)
    // An installation that is removed is no example for the others.
    taking.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    const [plain, foreign] = [await createTwin(), await createTwin()]
    const before = await storedRowsOf(other)
    const wrong: string[] = []
    let reported = 0
    for (const target of taking) {
      const places = placesOf(target)
      const isReporting = contract.unknownNamePolicy(target.endpoint) === 'report'
      const rounds: [place: Place | undefined, added: string[]][] = effort.isLong
        ? places.flatMap((place) =>
            names.filter((name) => !place.has(name)).map((name): [Place, string[]] => [place, [name]]),
          )
        : places.map((place) => [place, names.filter((name) => !place.has(name))])
      // The whole body of a device is open, so it has no place of its own.
      if (rounds.length === 1 && target.endpoint.body) rounds.push([undefined, openNames(target, names)])
      for (const [place, added] of rounds) {
        const example = { query: target.endpoint.example.query ?? {}, body: target.endpoint.example.body }
        const expected = await send(target, plain, withDevice(example, plain))
        const answer = await send(target, foreign, withDevice(withNames(target, place, added), foreign))
        const [one, two] = [comparable(expected.body, plain), comparable(answer.body, foreign)]
        const at = `${target.method} ${target.path} with ${place?.field ?? ''} ${added.slice(0, 3)}`
        if (expected.status !== 200 || answer.status !== 200 || one !== two) wrong.push(`${at}: ${one} became ${two}`)
        const named = [answer.body].flat()[0]?.unknownFields?.length ?? 0
        if (answer.status === 200 && isReporting !== named > 0) wrong.push(`${at}: ${named} names reported`)
        reported += named
      }
    }
    expect(wrong).toEqual([])
    expect(reported).toBeGreaterThan(300)
    expect(await rowsOf(foreign)).toEqual(await rowsOf(plain))
    expect(await storedRowsOf(other)).toEqual(before)
  },
  effort.timeoutMs,
)

/** Examples speak of a device that is not there. */
function withDevice<Request>(request: Request, { installationId }: { installationId: string }): Request {
  return JSON.parse(JSON.stringify(request).replaceAll(uuid, installationId))
}

/** Where a field of that name means something, it is not foreign. */
function openNames({ endpoint }: Target, names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(endpoint.body?.properties ?? {}, name))
}

function withNames(
  { endpoint }: Target,
  place: Place | undefined,
  names: readonly string[],
): { query: Record<string, string>; body: unknown } {
  const example = { query: { ...endpoint.example.query }, body: structuredClone(endpoint.example.body) }
  const value = (name: string) => dangerous[name] ?? 'x'
  if (!place)
    return {
      ...example,
      body: { ...(example.body as object), ...Object.fromEntries(names.map((name) => [name, value(name)])) },
    }
  return names.reduce((request, name) => place.put(name, value(name), request), example)
}

async function storedRowsOf({ app }: Context): Promise<Record<string, string[]>> {
  return rowsOf({ ctx: other, app, installationId: 'none' })
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
