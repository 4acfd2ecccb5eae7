import { expect } from 'vitest'
import type { openPanel } from '../helpers/panel.ts'
import { panelCaller } from '../helpers/panel-caller.ts'
import { until } from '../helpers/runner/until.ts'

type Panel = Awaited<ReturnType<typeof openPanel>>

/** Runs wherever it is taken for HTML, in whatever place. */
export const canary = `"'><img src=x onerror="window.hacked=1"><script>window.hacked=2</script><svg onload=window.hacked=3>`
/** User ids have no white space and no slash. */
export const canaryUser = `'"><b>u`
/** Addresses have no angle brackets and no double quotes. */
const canaryEmail = `'onload='window.hacked=5'@shop.example`

/** A text that would do harm in every field that keeps one. Answers where the pages are that show them. */
export async function plantCanaries(panel: Panel) {
  const { call, demo } = panel
  const post = async (path: string, body: object, method = 'POST') => {
    const answer = await call(method, path, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body
  }
  const installation = await post('/api/installations', {
    appId: demo.appId,
    userId: canaryUser,
    isGuest: false,
    deviceType: 'other:canary',
    deviceModel: canary,
    deviceManufacturer: canary,
    osVersion: canary,
    clientVersion: canary,
    language: canary.slice(0, 60),
    timeZone: canary.slice(0, 60),
    tokenStatus: 'DENIED',
    tokenErr: canary,
    subscriptions: ['default', `public/${canaryChannel}`],
  })
  const { id: installationId } = installation as { id: string }
  await post('/api/installations/addTags', { userId: canaryUser, tags: [canary] })
  await post('/api/installations/addValueTag', { userId: canaryUser, tag: 'said', value: canary })
  await post('/api/installations/attributes', {
    userId: canaryUser,
    attributes: { [canary]: canary, list: [canary] },
  })
  await post('/api/installations/track', { installationId, eventName: canary, eventData: { [canary]: canary } })
  await post('/api/installations/trackPurchase', {
    installationId,
    eventName: canary,
    revenue: 1,
    currency: canary.slice(0, 40),
  })
  await post('/api/campaigns', { trackId: canary, name: canary })
  const segment = await post('/api/segments', {
    name: canary,
    segment: { all: [{ name: 'tags', operator: 'include', value: [canary] }] },
  })
  const notification = {
    ...{ title: canary, body: canary, groupId: canary, actions: [{ id: canary, title: canary }] },
    ...{ icon: canary, largeIcon: canary, smallIcon: canary, sound: canary, category: canary, color: canary },
    ...{ mediaUrl: canary, mediaType: canary, clickUrl: `https://shop.example/${canary}` },
  }
  const message = { content: canary, data: { [canary]: canary }, notification }
  await post('/api/templates', { name: canary.slice(0, 100), message })
  const tracked = { ...message, trackId: canary }
  const personal = await post('/api/push/toUsers', { ...tracked, user: 'user-1', clientId: canary })
  const group = await post('/api/push/byQuery', {
    ...tracked,
    segment: { all: [{ name: 'tags', operator: 'include', value: [canary] }] },
  })
  const webhook = await post('/api/webhooks', {
    url: `http://127.0.0.1:9/${encodeURIComponent(canary)}`,
    events: ['message.failed'],
  })
  await post('/api/app', { name: canary, defaultNotificationText: canary }, 'PUT')
  await plantAsMember(panel, (webhook as { id: string }).id)
  const refused = await plantAtProviders(panel)

  const at = encodeURIComponent
  return [
    `/messages/${(personal as { id: string }).id}?user=user-1`,
    `/messages/${(group as { id: string }).id}`,
    `/campaigns/${at(canary)}`,
    `/segments/${(segment as { id: string }).id}`,
    `/users/${at(canaryUser)}`,
    `/users/${at(canaryUser)}?tab=events`,
    `/users/user-1?tab=messages`,
    `/events/${at(canary)}`,
    `/messages/${refused}`,
    `/promo?code=${at(canary)}`,
  ]
}

const canaryChannel = `"'><img src=x onerror="window.hacked=4">`.replaceAll(' ', '_')

/** In what members write, which the audit log tells of, and in the name of the browser they use. */
async function plantAsMember({ demo }: Panel, webhookId: string): Promise<void> {
  const { panelEmail: email, panelPassword: password } = demo
  const signedIn = await panelCaller(demo.baseUrl)('POST', '/session', { email, password }, { 'user-agent': canary })
  const [, key] = /peyk=([^;]+)/.exec(signedIn.headers.getSetCookie().join()) ?? []
  const call = panelCaller(demo.baseUrl, key)
  const post = async (path: string, body?: object) => {
    const answer = await call('POST', `/apps/demo${path}`, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  }
  await post('/tokens', { name: canary, scopes: ['read'] })
  await post('/tokens', { name: canary, scopes: ['client'] })
  await post('/members', { email: canaryEmail, role: 'support' })
  const segment = { all: [{ name: 'language', operator: 'equal_to', value: canary }] }
  await post('/segments', { name: `${canary} again`, segment })
  await post('/campaigns', { trackId: `${canary} again`, name: canary })
  await post(`/users/${encodeURIComponent(canaryUser)}/tags`, { tag: `${canary} again` })
  await post(`/webhooks/${webhookId}/test`)
}

/** In what providers answer: why a delivery was refused, and why a provider is paused. The message that was refused. */
async function plantAtProviders({ call, simulator }: Panel): Promise<string> {
  const send = async () => {
    const { body } = await call('POST', '/api/push/toUsers', { user: 'user-1', content: 'Refused' })
    return (body as { id: string }).id
  }
  const arrived = (path: string) =>
    until(
      async () => JSON.stringify((await call('GET', path)).body),
      (text) => text.includes('onerror'),
    )
  const error = { code: 400, status: 'INVALID_ARGUMENT', message: canary }
  await simulator('PUT', '/faults/fcm', { rules: [{ status: 400, body: JSON.stringify({ error }) }] })
  await simulator('PUT', '/faults/webpush', { rules: [{ status: 403, body: `no: ${canary}` }] })
  const id = await send()
  await arrived(`/api/messages/${id}/deliveries`)
  await arrived('/api/providers')
  await simulator('DELETE', '/faults')
  return id
}
