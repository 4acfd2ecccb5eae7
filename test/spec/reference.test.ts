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
  ['41-send-a-message-to-users', 'POST', '/api/push/toUsers'],
  ['42-send-a-notification', 'POST', '/api/push/notifyUsers'],
  ['43-send-a-message-to-a-group', 'POST', '/api/push/byQuery'],
  ['44-add-and-remove-tags', 'GET', '/api/installations/addTag/:userId/:tag'],
  ['44-add-and-remove-tags', 'POST', '/api/installations/addTags'],
  ['44-add-and-remove-tags', 'POST', '/api/installations/addValueTag'],
  ['44-add-and-remove-tags', 'GET', '/api/installations/removeTag/:userId/:tag'],
  ['44-add-and-remove-tags', 'POST', '/api/installations/removeTags'],
  ['44-add-and-remove-tags', 'POST', '/api/installations/removeValueTag'],
  ['45-track-an-event', 'POST', '/api/installations/track'],
  ['46-track-a-purchase', 'POST', '/api/installations/trackPurchase'],
  ['47-track-revenue', 'POST', '/api/installations/trackRevenue'],
  ['48-set-attributes', 'POST', '/api/installations/attributes'],
  ['49-upload-promo-codes-for-a-campaign', 'POST', '/api/containers/updatePromoCodes/:trackId'],
  ['410-upload-global-promo-codes', 'POST', '/api/containers/updateGlobalPromoCodes'],
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
