import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiRoutes } from '../../server/src/entry/http/api.ts'
import { clientRoutes } from '../../server/src/entry/http/client.ts'
import { panelRoutes, sessionRoutes } from '../../server/src/entry/http/panel.ts'
import type { Route } from '../../server/src/entry/http/route.ts'
import { effort } from '../helpers/effort.ts'
import { createTestMember } from '../helpers/panel-caller.ts'
import { createTestServer } from '../helpers/test-server.ts'

const { baseUrl, token, ctx } = await createTestServer()
const member = await createTestMember(ctx, 'admin')
await createTestMember(ctx, 'admin')

type FuzzedRoute = Pick<Route, 'method' | 'path' | 'endpoint'>

/** Without those that would end the session they are called in. */
const ofPanel: FuzzedRoute[] = [
  ...sessionRoutes
    .filter(({ method }) => method !== 'DELETE')
    .map((route) => ({ ...route, path: `/panel/api${route.path}` })),
  ...panelRoutes
    .filter(({ kind }) => kind !== 'stream')
    .map((route) => ({ ...route, path: `/panel/api/apps/${ctx.app.label}${route.path}` })),
]

const nastyTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\u0000b',
  '__proto__',
  'constructor',
  "'; drop table users; --",
  '{{',
  '{% if %}',
  '{{ promoCode }}',
  '../../etc/passwd',
  '%00',
  '%ZZ',
  '‮reversed',
  '👩‍👩‍👧‍👦',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '6h',
  '1e400',
  'NaN',
  'null',
  '[]',
  '{}',
  '*',
  '00000000-0000-4000-8000-000000000000',
  '2026-13-45T99:99:99Z',
]
const nastyNumbers = [
  0,
  -0,
  -1,
  1e308,
  -1e308,
  2 ** 53 + 1,
  1.5,
  1e-300,
  4_294_967_296,
  253_402_300_800_000,
  8.64e15 + 1,
]

const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...nastyTexts),
  fc.constantFrom<unknown>(...nastyNumbers),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { a: { b: { c: 1 } } },
    ['a', 1],
    { $ne: 1 },
    { inq: 'x' },
    { length: -1 },
  ),
  fc.constant({ toString: null, valueOf: 1 }),
  fc.string({ unit: 'binary' }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.integer(), { minLength: 200, maxLength: 300 }),
)

type Path = (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const deeper = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...deeper]
}

function change(root: unknown, path: Path, replacement: unknown): unknown {
  if (path.length === 0) return replacement
  const copy = structuredClone(root)
  let node = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>
  const last = path.at(-1) as string | number
  if (replacement === undefined) delete node[last]
  else node[last] = replacement
  return copy
}

/** The example with one to three of its parts replaced, removed or added to. */
function bodies(example: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(example)
  const edit = fc.tuple(
    fc.constantFrom(...paths),
    fc.oneof({ weight: 5, arbitrary: nasty }, fc.constant(undefined)),
    fc.option(fc.constantFrom('extra', '__proto__', 'toString', 'a.b'), { freq: 5 }),
  )
  return fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) =>
    edits.reduce<unknown>((body, [path, replacement, extra]) => {
      try {
        return change(body, extra ? [...path, extra] : path, replacement)
      } catch {
        return body
      }
    }, example),
  )
}

function pathWith(route: FuzzedRoute, values: string[]): string {
  let index = 0
  return route.path.replace(/:\w+/g, () => encodeURIComponent((values[index++] ?? 'x').toWellFormed()) || 'x')
}

/** Not forwarded as it is: JSON.stringify keeps `__proto__` only as an own key. */
async function expectClearAnswer(route: FuzzedRoute, path: string, body: unknown) {
  const hasBody = route.method === 'POST' || route.method === 'PUT'
  const response = await fetch(baseUrl + path, {
    method: route.method,
    headers: {
      ...(path.startsWith('/panel') ? { cookie: `peyk=${member.key}`, origin: baseUrl } : { 'x-access-token': token }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) ?? '' }),
  })
  const text = await response.text()
  const story = `${route.method} ${path} ${JSON.stringify(body)?.slice(0, 500)} → ${response.status} ${text.slice(0, 300)}`
  expect(response.status, story).toBeLessThan(500)
  if (response.status === 200) return
  const { error } = JSON.parse(text)
  expect(error, story).toMatchObject({
    status: response.status,
    name: expect.any(String),
    code: expect.any(String),
    message: expect.any(String),
    requestId: expect.any(String),
  })
  expect(error.message, story).not.toMatch(/\n\s+at |\.[jt]s:\d+:\d+|syntax error|relation "|column "|node_modules/)
}

describe('broken input gets a clear answer', () => {
  const routes: FuzzedRoute[] = [...apiRoutes, ...clientRoutes, ...ofPanel]
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_name, route) => {
    const { example } = route.endpoint
    const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
    const parameters = fc.tuple(
      ...names.map((name) =>
        fc.oneof(fc.constant(example.params?.[name] ?? 'x'), fc.constantFrom(...nastyTexts), fc.string()),
      ),
    )
    const query = fc.option(
      fc.dictionary(
        fc.constantFrom(...Object.keys(example.query ?? { limit: '' }), 'cursor', 'limit'),
        fc.constantFrom(...nastyTexts, '5', '-1'),
      ),
      { nil: {} },
    )
    await fc.assert(
      fc.asyncProperty(parameters, query, bodies(example.body ?? {}), async (values, parts, body) => {
        const search = new URLSearchParams(parts as Record<string, string>).toString()
        await expectClearAnswer(route, pathWith(route, values) + (search && `?${search}`), body)
      }),
      { numRuns: effort.fuzzedRequestsPerRoute },
    )
  })
})
