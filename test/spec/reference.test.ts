import { checker } from '@peyk/contract'
import { apiRoutes } from '@peyk/server/entry/http/api.ts'
import { clientRoutes } from '@peyk/server/entry/http/client.ts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { jsonRoutes } from '../helpers/service/check-answer.ts'
import { type Answer, createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl } = await createTestServer()
const routes = [...apiRoutes, ...clientRoutes]

/** Section 4 of the specification. */
const specification: [section: string, method: string, path: string][] = [
  ['4.1', 'POST', '/api/push/toUsers'],
  ['4.2', 'POST', '/api/push/notifyUsers'],
  ['4.3', 'POST', '/api/push/byQuery'],
  ['4.4', 'GET', '/api/installations/addTag/:userId/:tag'],
  ['4.4', 'POST', '/api/installations/addTags'],
  ['4.4', 'POST', '/api/installations/addValueTag'],
  ['4.4', 'GET', '/api/installations/removeTag/:userId/:tag'],
  ['4.4', 'POST', '/api/installations/removeTags'],
  ['4.4', 'POST', '/api/installations/removeValueTag'],
  ['4.5', 'POST', '/api/installations/track'],
  ['4.6', 'POST', '/api/installations/trackPurchase'],
  ['4.7', 'POST', '/api/installations/trackRevenue'],
  ['4.8', 'POST', '/api/installations/attributes'],
  ['4.9', 'POST', '/api/containers/updatePromoCodes/:trackId'],
  ['4.10', 'POST', '/api/containers/updateGlobalPromoCodes'],
]

describe('the API reference', () => {
  it('has every endpoint of the specification, and cites no other section', () => {
    const cited = routes
      .filter((route) => route.endpoint.section)
      .map((route) => [route.endpoint.section, route.method, route.path])
    expect(cited.sort()).toEqual([...specification].sort())
  })

  it('has every route that is no alias, and names those that are', async () => {
    const reference = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Answer['body']
    expect(reference.openapi).toMatch(/^3\.1/)
    const documented = Object.entries(reference.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const inBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')
    const served = routes.filter(({ isAlias }) => !isAlias).map(({ method, path }) => `${method} ${inBraces(path)}`)
    expect(documented.sort()).toEqual(served.sort())
    for (const { path, endpoint } of routes.filter(({ isAlias }) => isAlias))
      expect(endpoint.description).toContain(`\`${inBraces(path)}\``)
  })

  it('has nothing that keeps others from making a client of it', async () => {
    const source = await (await fetch(`${baseUrl}/openapi.json`)).text()
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it('is shown to people', async () => {
    const response = await fetch(`${baseUrl}/docs`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<html')
  })

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'has a fitting example for %s',
    (_name, { endpoint, method }) => {
      if (endpoint.body) {
        const body = endpoint.onlyBodies ? (endpoint.example.body as unknown[])[0] : endpoint.example.body
        expect(checker(endpoint.body)(structuredClone(body)).fault).toBeUndefined()
      } else {
        expect(method).not.toBe('PUT')
      }
      if (endpoint.query) expect(checker(endpoint.query)({ ...endpoint.example.query }).fault).toBeUndefined()
      if (endpoint.params) expect(checker(endpoint.params)({ ...endpoint.example.params }).fault).toBeUndefined()
      expect(checker(endpoint.answer)(structuredClone(endpoint.example.answer)).fault).toBeUndefined()
    },
  )

  it('names every variable part of every path', () => {
    for (const { path, endpoint } of jsonRoutes) {
      const named = Object.keys((endpoint.params as { properties?: object } | undefined)?.properties ?? {})
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'app')
      expect([path, ...named.sort()]).toEqual([path, ...inPath.sort()])
    }
  })

  it('lets nobody in without a scope', () => {
    for (const route of routes) expect(Array.isArray(route.scopes), route.path).toBe(true)
  })
})
