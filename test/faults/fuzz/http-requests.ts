import { gzipSync } from 'node:zlib'
import { apiRoutes } from '@peyk/server/entry/http/api.ts'
import { clientRoutes } from '@peyk/server/entry/http/client.ts'
import { panelRoutes, sessionRoutes } from '@peyk/server/entry/http/panel.ts'
import type { Route } from '@peyk/server/entry/http/route.ts'
import { sampleImages } from '../../helpers/images.ts'
import type { Chance } from './chance.ts'
import { type FuzzedRequest, json, type MakeRequest, panelHeaders } from './fuzzed-request.ts'
import { mutateBytes, mutateValue } from './mutate.ts'
import { nastyTexts } from './nasty.ts'
import type { FuzzedApp, World } from './world.ts'

export interface FuzzedRoute extends Pick<Route, 'method' | 'path' | 'endpoint'> {
  of: 'api' | 'client' | 'panel' | 'session'
  /** It waits for somebody outside, or hashes a password: it has its turn less often. */
  isSlow: boolean
}

/** Every endpoint, without streams, which do not end, and without those that would end the session they are called in. */
export const fuzzedRoutes: readonly FuzzedRoute[] = [
  ...apiRoutes
    .filter(({ endpoint }) => !endpoint.lines && !endpoint.download)
    .map((route) => ({ ...route, of: 'api' as const, isSlow: isSlow(route.path, route.isOutward) })),
  ...clientRoutes.map((route) => ({ ...route, of: 'client' as const, isSlow: false })),
  ...sessionRoutes
    .filter(({ method }) => method !== 'DELETE')
    .map(({ method, path, endpoint }) => {
      const isHashed = /^\/(session|password)$/.test(path) && method !== 'GET'
      return { method, endpoint, path: `/panel/api${path}`, of: 'session' as const, isSlow: isHashed }
    }),
  ...panelRoutes
    .filter(({ kind }) => kind !== 'stream')
    .map(({ method, path, endpoint, isOutward }) => {
      const whole = `/panel/api/apps/{app}${path}`
      return { method, endpoint, path: whole, of: 'panel' as const, isSlow: isSlow(path, isOutward) }
    }),
]

function isSlow(path: string, isOutward: boolean): boolean {
  return (isOutward && !path.startsWith('/send')) || /\/(check|test)$/.test(path.replace(/^\/send\/test$/, ''))
}

const slowOneIn = 40
const settings =
  /^(\/api|\/panel\/api\/apps\/\{app\})\/(app|tokens|members|retention|providers|webhooks|alerts|sending|uninstalls\/held)(\/|$)|^\/panel\/api\/(password|session)/

/** One endpoint after the other. */
export const makeHttpRequest: MakeRequest = (chance, world, number) => {
  const round = Math.floor(number / fuzzedRoutes.length)
  const route = fuzzedRoutes[number % fuzzedRoutes.length] as FuzzedRoute
  if (!route.isSlow || round % slowOneIn === 0) return makeRouteRequest(chance, world, route)
  return makeRouteRequest(chance, world, chance.pick(fuzzedRoutes.filter((other) => !other.isSlow)))
}

export function makeRouteRequest(chance: Chance, world: World, route: FuzzedRoute): FuzzedRequest {
  const app = settings.test(route.path) ? world.settingsApp : world.app
  const takesBody = route.method === 'POST' || route.method === 'PUT'
  const body = takesBody ? makeBody(chance, world, route) : undefined
  return {
    method: chance.is(0.02) ? chance.pick(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'GET', 'DELETE']) : route.method,
    path: makePath(chance, world, route, app) + makeQuery(chance, route),
    headers: { ...makeCredentials(chance, world, route, app), ...makeHeaders(chance), ...body?.headers },
    ...(body && { body: body.bytes }),
  }
}

function makePath(chance: Chance, world: World, route: FuzzedRoute, app: FuzzedApp): string {
  const { params } = route.endpoint.example
  const path = route.path.replace('{app}', chance.is(0.01) ? 'no-such-app' : app.label)
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const known = route.method === 'DELETE' ? undefined : knownValue(chance, world, route.path, name)
    const value = chance.is(0.4) && known !== undefined ? known : chance.is(0.4) ? params?.[name] : undefined
    const text = value ?? (chance.is(0.8) ? chance.pick(nastyTexts.filter(isShort)) : chance.text())
    return encodeURIComponent(text.toWellFormed()) || 'x'
  })
}

const isShort = (text: string) => text.length < 2_000

function knownValue(chance: Chance, world: World, path: string, name: string): string | undefined {
  const device = chance.pick(world.devices)
  if (name === 'userId') return device.userId
  if (name === 'trackId') return world.trackId
  if (name !== 'id') return undefined
  if (path.includes('/messages/')) return chance.pick(world.messageIds)
  if (path.includes('/segments/')) return world.segmentId
  return device.id
}

function makeQuery(chance: Chance, route: FuzzedRoute): string {
  const { query = {} } = route.endpoint.example
  if (chance.is(0.5)) return ''
  const names = [...Object.keys(query), 'cursor', 'limit', 'dryRun', 'filter']
  const parts = chance.list(1, 3, (): [string, string] => {
    const name = chance.pick(names)
    const value = chance.is(0.3) ? query[name] : undefined
    return [name, (value ?? chance.pick(['5', '-1', 'true', ...nastyTexts.filter(isShort)])).toWellFormed()]
  })
  return `?${new URLSearchParams(parts).toString()}`
}

function makeCredentials(
  chance: Chance,
  world: World,
  { of, method }: FuzzedRoute,
  app: FuzzedApp,
): Record<string, string> {
  if (chance.is(0.01)) return {}
  if (of === 'panel' || of === 'session') return panelHeaders(world, app, method !== 'GET')
  const isClient = of === 'client' ? chance.is(0.7) : chance.is(0.05)
  return { 'x-access-token': isClient ? app.clientKey : app.token }
}

function makeHeaders(chance: Chance): Record<string, string> {
  const headers: Record<string, string> = {}
  if (chance.is(0.1))
    headers['idempotency-key'] = chance.is(0.5) ? `key-${chance.int(500)}` : 'x'.repeat(chance.int(400))
  if (chance.is(0.02)) headers['user-agent'] = 'é'.repeat(chance.int(50))
  if (chance.is(0.02)) headers.origin = chance.pick(['null', 'https://shop.example', 'https://', 'x'])
  if (chance.is(0.02)) headers['x-forwarded-for'] = chance.pick(['1.2.3.4', 'x', '::1, 127.0.0.1', ','])
  return headers
}

/** Mostly JSON that is nearly right; now and then something else. */
function makeBody(
  chance: Chance,
  world: World,
  { endpoint }: FuzzedRoute,
): { bytes: Buffer; headers: Record<string, string> } {
  if (endpoint.image && chance.is(0.8)) {
    const image = chance.pick(Object.values(sampleImages))
    return {
      bytes: chance.is(0.2) ? image : mutateBytes(chance, image),
      headers: { 'content-type': chance.pick(['image/png', 'text/html', '']) },
    }
  }
  const example = enrich(chance, world, endpoint.example.body ?? {})
  const asJson = { 'content-type': 'application/json' }
  const kind = chance.next()
  if (kind < 0.1) return { bytes: json(example), headers: asJson }
  if (kind < 0.85) return { bytes: json(mutateValue(chance, example)), headers: asJson }
  if (kind < 0.9) return { bytes: mutateBytes(chance, json(example)), headers: asJson }
  if (kind < 0.92) return { bytes: gzipSync(json(example)), headers: { ...asJson, 'content-encoding': 'gzip' } }
  if (kind < 0.94)
    return {
      bytes: mutateBytes(chance, gzipSync(json(example))),
      headers: { ...asJson, 'content-encoding': chance.pick(['gzip', 'br', 'deflate', 'gzip, gzip']) },
    }
  if (kind < 0.97)
    return {
      bytes: Buffer.from(asForm(chance, mutateValue(chance, example))),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  if (kind < 0.98) return { bytes: Buffer.from('['.repeat(chance.int(20_000))), headers: asJson }
  const types = ['text/plain', 'multipart/form-data', 'application/json; charset=utf-16', 'x', 'text/csv', '']
  return {
    bytes: chance.is(0.5) ? json(example) : chance.bytes(chance.int(200)),
    headers: { 'content-type': chance.pick(types) },
  }
}

/** Names what exists in place of what the example names. */
function enrich(chance: Chance, world: World, example: unknown): unknown {
  const device = chance.pick(world.devices)
  const known: Record<string, unknown> = {
    installationId: device.id,
    userId: device.userId,
    user: device.userId,
    users: [device.userId, chance.pick(world.devices).userId],
    installationIds: [device.id],
    trackId: world.trackId,
    messageId: chance.pick(world.messageIds),
    msgId: chance.pick(world.messageIds),
    segmentId: world.segmentId,
  }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        Object.hasOwn(known, key) && chance.is(0.8) ? known[key] : visit(item),
      ]),
    )
  }
  return visit(example)
}

function asForm(chance: Chance, value: unknown, name = ''): string {
  if (typeof value !== 'object' || value === null)
    return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`
  return Object.entries(value)
    .map(([key, item]) => {
      const inner = chance.is(0.02) ? `${key}][` : key
      return asForm(chance, item, name === '' ? inner : `${name}[${Array.isArray(value) ? '' : inner}]`)
    })
    .join('&')
}
