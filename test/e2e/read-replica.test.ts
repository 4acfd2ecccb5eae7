import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import type { PanelRoute } from '@peyk/server/entry/http/panel/panel-route.ts'
import { panelRoutes } from '@peyk/server/entry/http/panel.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestMember, panelCaller } from '../helpers/panel-caller.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { baseUrl, ctx, store, call } = await createTestServer()
const member = await createTestMember(ctx, 'admin')
const callPanel = panelCaller(baseUrl, member.key)
/** It can only be read from, and whoever writes there is refused. */
const replica = openStore(store.url, { poolSize: 2, isReadOnly: true })
let asked = 0
const reader: Store = {
  ...replica,
  query: (statement, name) => {
    asked++
    return replica.query(statement, name)
  },
  transaction: (work) => {
    asked++
    return replica.transaction(work)
  },
}
afterAll(() => replica.close())

const lagging = panelRoutes.filter(({ mayLag }) => mayLag)

async function fill(): Promise<Record<string, string>> {
  await call('POST', '/api/installations/track', { userId: 'sara', eventName: 'AddToCart' })
  await call('POST', '/api/tags', { userId: 'sara', tags: ['vip'] })
  await call('POST', '/api/campaigns', { trackId: 'autumn', name: 'Autumn' })
  const sent = await call('POST', '/api/push/toUsers', { user: 'sara', content: 'x', trackId: 'autumn' })
  return { id: sent.body.id, userId: 'sara', trackId: 'autumn' }
}

function pathOf({ path }: PanelRoute, values: Record<string, string>): string {
  const queries: Record<string, string> = { '/events/one': '?name=AddToCart', '/promo/codes': '?code=A' }
  return `/apps/${ctx.app.label}${path.replace(/:(\w+)/g, (_, name) => values[name] ?? 'x')}${queries[path] ?? ''}`
}

describe('what may be some seconds old', async () => {
  const values = await fill()
  store.reader = reader
  it.each(lagging.map((route) => [route.path, route] as const))('%s is asked of the replica', async (_path, route) => {
    asked = 0
    const { status } = await callPanel('GET', pathOf(route, values))
    expect([200, 404]).toContain(status)
    expect(asked).toBeGreaterThan(0)
  })

  it('is little that a decision is made by', () => {
    const others = panelRoutes.filter(({ method, mayLag }) => method !== 'GET' && mayLag)
    expect(others).toEqual([])
    expect(lagging.length).toBeGreaterThan(15)
  })
})
