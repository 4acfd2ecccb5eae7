import { expect } from 'vitest'
import type { openPanel } from '../helpers/panel.ts'

type Panel = Awaited<ReturnType<typeof openPanel>>

/** Runs wherever it is taken for HTML, in whatever place. */
export const canary = `"'><img src=x onerror="window.hacked=1"><script>window.hacked=2</script><svg onload=window.hacked=3>`
/** User ids have no white space and no slash. */
export const canaryUser = `'"><b>u`

/** A text that would do harm in every field that keeps one. Answers where the pages are that show them. */
export async function plantCanaries({ call, demo }: Panel) {
  const post = async (path: string, body: object, method = 'POST') => {
    const answer = await call(method, path, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body
  }
  const installation = await post('/api/installations', {
    appId: demo.appId,
    userId: canaryUser,
    isGuest: false,
    deviceType: canary.slice(0, 60),
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
  const notification = { title: canary, body: canary, groupId: canary, actions: [{ id: canary, title: canary }] }
  const message = { content: canary, data: { [canary]: canary }, trackId: canary, notification }
  const personal = await post('/api/push/toUsers', { ...message, user: 'user-1', clientId: canary })
  const group = await post('/api/push/byQuery', {
    ...message,
    segment: { all: [{ name: 'tags', operator: 'include', value: [canary] }] },
  })
  await post('/api/webhooks', { url: `http://127.0.0.1:9/${encodeURIComponent(canary)}`, events: ['message.failed'] })
  await post('/api/app', { name: canary, defaultNotificationText: canary }, 'PUT')

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
  ]
}

const canaryChannel = `"'><img src=x onerror="window.hacked=4">`.replaceAll(' ', '_')
