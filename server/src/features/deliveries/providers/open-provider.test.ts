import { describe, expect, it } from 'vitest'
import { createWebPushCredentials } from '../../accounts/credential-formats/web-push.ts'
import { openProvider } from './open-provider.ts'
import { createOpener, optionsFor, pushTo, startSimulated } from './simulated.test-support.ts'

const simulated = await startSimulated()
const open = createOpener(openProvider)

describe('a provider', () => {
  it('never throws: a fault of our own makes the push wait', async () => {
    const now = () => {
      throw new Error('no clock')
    }
    const credentials = createWebPushCredentials('mailto:push@example.com')
    const provider = open('webpush', credentials, optionsFor(simulated, { now }))
    const payload = { provider: 'webpush', body: '{}', urgency: 'normal', topic: '' } as const
    const token = JSON.stringify(simulated.tokens.issue('webpush'))
    expect(await provider.send(pushTo(token, payload))).toMatchObject({ kind: 'later', isForAll: false })
    expect((await provider.checkCredentials()).kind).toBe('paused')
  })

  it('has a question for tokens where that can be asked', () => {
    const webPush = open('webpush', createWebPushCredentials('mailto:push@example.com'), optionsFor(simulated))
    expect(webPush.checkToken).toBeUndefined()
    const { key, ...ids } = simulated.credentials.apns
    expect(open('apns', { ...ids, privateKey: key }, optionsFor(simulated)).checkToken).toBeTypeOf('function')
  })
})
