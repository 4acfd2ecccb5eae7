import { networkInterfaces } from 'node:os'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import { ask, fetchAccessToken, openSession, startTestProviders } from './providers.test-support.ts'

it('keeps ports, credentials, tokens and the dead over a restart', async () => {
  const first = await startTestProviders()
  const [live, dead] = [first.tokens.issue('fcm', 'live'), first.tokens.issue('fcm', 'dead')]
  first.tokens.kill('fcm', dead)
  const authorization = `Bearer ${await fetchAccessToken(first)}`
  await first.close()
  const second = await startTestProviders({ ports: first.ports, dead: first.tokens.listDead() })
  expect({ ...second.ports, ca: second.ca }).toEqual({ ...first.ports, ca: first.ca })
  expect(second.credentials).toEqual(first.credentials)
  const session = openSession(second, second.fcmUrl)
  const path = `/v1/projects/${first.credentials.fcm.project_id}/messages:send`
  const send = (token: string) => ask(session, path, { authorization }, JSON.stringify({ message: { token } }))
  expect((await send(live)).status).toBe(200)
  expect((await send(dead)).status).toBe(404)
  session.destroy()
  await second.close()
})

it('opens nothing when one of its ports is taken', async () => {
  const first = await startTestProviders()
  await expect(startTestProviders({ ports: { sms: first.ports.sms } })).rejects.toThrow('EADDRINUSE')
  await first.close()
})

it('allows as many streams as it is told', async () => {
  const providers = await startTestProviders({ streams: { fcm: 3 } })
  const session = openSession(providers, providers.fcmUrl)
  await poll(() => session.remoteSettings.maxConcurrentStreams).toBe(3)
  session.destroy()
  await providers.close()
})

it('is reached by all addresses of localhost', async () => {
  const providers = await startTestProviders()
  const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
  for (const host of ['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])]) {
    expect((await fetch(`http://${host}:${providers.ports.sms}/`)).status).toBe(404)
  }
  await providers.close()
})
