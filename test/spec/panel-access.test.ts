import { checker } from '@peyk/contract'
import type { PanelRoute } from '@peyk/server/entry/http/panel/panel-route.ts'
import { panelRoutes, sessionRoutes } from '@peyk/server/entry/http/panel.ts'
import { listAudit } from '@peyk/server/features/accounts/audit/list-audit.ts'
import { abilities } from '@peyk/server/features/accounts/members/abilities.ts'
import { roles } from '@peyk/server/features/accounts/members/member-rules.ts'
import { registerInstallation } from '@peyk/server/features/installations/register/register-installation.ts'
import { createSegment } from '@peyk/server/features/segments/saved/create-segment.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { settingsEn } from '../../panel/src/texts/en/settings.ts'
import { settingsFa } from '../../panel/src/texts/fa/settings.ts'
import { createTestApp } from '../helpers/database/test-store.ts'
import { createTestMember, panelCaller } from '../helpers/panel-caller.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, ctx, store, token } = await createTestServer()
const other = await createTestApp(store)
const members = await Promise.all(roles.map(async (role) => ({ role, ...(await createTestMember(ctx, role)) })))
const stranger = await createTestMember(other, 'admin')
const routes = panelRoutes.map((route) => [`${route.method} ${route.path}`, route] as const)

function pathOf(route: PanelRoute, label = ctx.app.label): string {
  return `/apps/${label}${route.path.replace(/:\w+/g, 'x')}`
}

function bodyOf(route: PanelRoute): unknown {
  return route.method === 'POST' || route.method === 'PUT' ? (route.endpoint.example.body ?? {}) : undefined
}

async function countTraces(): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    sql`select (select count(*) from audit_entries) + (select count(*) from idempotency_keys) as count`,
  )
  return row?.count as number
}

describe('every route of the panel', () => {
  it.each(routes)('%s is closed to roles that may not, and nothing happens', async (_name, route) => {
    const before = await countTraces()
    for (const { role, key } of members.filter(({ role }) => !abilities[route.ability].includes(role))) {
      const answer = await panelCaller(baseUrl, key)(route.method, pathOf(route), bodyOf(route))
      expect([role, answer.status, answer.body.error?.code]).toEqual([role, 403, 'wrong-role'])
    }
    expect(await countTraces()).toBe(before)
  })

  it.each(routes)('%s is closed to who is not signed in, and to access tokens', async (_name, route) => {
    const call = panelCaller(baseUrl)
    for (const headers of [{}, { 'x-access-token': token }, { authorization: `Bearer ${token}` }]) {
      const answer = await call(route.method, pathOf(route), bodyOf(route), headers)
      expect([answer.status, answer.body.error?.code]).toEqual([401, 'signed-out'])
    }
    expect((await call(route.method, `${pathOf(route)}?access_token=${token}`, bodyOf(route))).status).toBe(401)
  })

  it.each(routes)('%s is not there for members of another app', async (_name, route) => {
    const call = panelCaller(baseUrl, stranger.key)
    for (const label of [ctx.app.label, 'nowhere']) {
      const answer = await call(route.method, pathOf(route, label), bodyOf(route))
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'not-found'])
      expect(answer.body.error.message).toBe(`There is no app "${label}".`)
    }
  })

  const writing = routes.filter(([, route]) => route.method !== 'GET')
  it.each(writing)('%s is closed to pages of others', async (_name, route) => {
    const admin = members.find(({ role }) => role === 'admin')
    const call = panelCaller(baseUrl, admin?.key)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: undefined },
      { origin: undefined, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await call(route.method, pathOf(route), bodyOf(route), headers)
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'wrong-origin'])
    }
  })

  it.each([...routes, ...sessionRoutes.map((route) => [`${route.method} ${route.path}`, route] as const)])(
    '%s has a fitting example',
    (_name, { endpoint }) => {
      const { example } = endpoint
      const bodies = endpoint.maxBodies !== undefined && Array.isArray(example.body) ? example.body : [example.body]
      if (endpoint.body)
        for (const body of bodies) expect(checker(endpoint.body)(structuredClone(body)).fault).toBeUndefined()
      if (endpoint.query) expect(checker(endpoint.query)({ ...example.query }).fault).toBeUndefined()
      if (endpoint.params) expect(checker(endpoint.params)({ ...example.params }).fault).toBeUndefined()
      expect(checker(endpoint.answer)(structuredClone(example.answer)).fault).toBeUndefined()
    },
  )
})

describe('the audit log', () => {
  it.each([
    ['English', settingsEn],
    ['Persian', settingsFa],
  ])('has words in %s for everything that members do', (_language, { audit }) => {
    const noted = panelRoutes.filter(({ hasEffect, ability }) => hasEffect || ability === 'export')
    const actions = noted.map(({ method, path }) => `${method} ${path}`)
    expect(actions.filter((action) => audit.actions[action] === undefined)).toEqual([])
  })

  it('says who took data out', async () => {
    const support = members.find(({ role }) => role === 'support')
    const call = panelCaller(baseUrl, support?.key)
    const userId = 'u-exported'
    await registerInstallation(ctx, { userId, deviceType: 'android' })
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }
    const { id } = await createSegment(ctx, { name: 'Exported', segment })
    for (const path of [
      `/users/${userId}/export`,
      `/segments/${id}/users.csv`,
      '/users.csv',
      '/events.csv',
      '/uninstalls.csv',
    ]) {
      expect((await call('GET', `/apps/${ctx.app.label}${path}`)).status).toBe(200)
    }
    const { data } = await listAudit(ctx, {})
    expect(data.slice(0, 5).map(({ email, action, subject, details }) => [email, action, subject, details])).toEqual([
      [support?.email, 'GET /uninstalls.csv', undefined, undefined],
      [support?.email, 'GET /events.csv', undefined, undefined],
      [support?.email, 'GET /users.csv', undefined, undefined],
      [support?.email, 'GET /segments/:id/users.csv', id, { name: 'Exported' }],
      [support?.email, 'GET /users/:userId/export', userId, undefined],
    ])
  })
})

describe('a cookie', () => {
  it('opens nothing of the API', async () => {
    const response = await fetch(`${baseUrl}/api/app`, { headers: { cookie: `peyk=${members[0]?.key}` } })
    expect(response.status).toBe(401)
  })
})
