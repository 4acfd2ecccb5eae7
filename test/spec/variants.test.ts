import { addCredentials, addDevice, tokens } from '@peyk/server/features/deliveries/dry-run/preview.test-support.ts'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, ctx } = await createTestServer()
await addCredentials(ctx, 'fcm')
await addDevice(ctx, 'sara', { token: tokens.fcm('1') })

const variants = [
  { name: 'A', content: 'A' },
  { name: 'B', content: 'B' },
]
const winner = { by: 'event:Purchase', after: '4h', testShare: 20 }
const send = (body: object, path = '/api/push/byQuery') => call('POST', path, { target: {}, content: 'Hello', ...body })

describe('a send with variants', () => {
  it('is accepted on every send to users and groups, and read with everything that was left out', async () => {
    for (const [path, to] of [
      ['/api/push/byQuery', { target: {} }],
      ['/api/push/toUsers', { user: 'sara' }],
      ['/api/push/notifyUsers', { users: ['sara'] }],
      ['/api/push/notifyToUsers', { user: 'sara' }],
    ] as const) {
      const sent = await call('POST', path, { ...to, content: 'Hello', variants, winner, control: 10 })
      expect(sent.status, JSON.stringify(sent.body)).toBe(200)
      const { body } = await call('GET', `/api/messages/${sent.body.id}`)
      expect(body).toMatchObject({
        variants: [
          { name: 'A', share: 50, content: 'A' },
          { name: 'B', share: 50 },
        ],
        control: 10,
        winner: { ...winner, otherwise: 'A' },
        goal: { event: 'Purchase', within: '12h' },
      })
      const results = await call('GET', `/api/messages/${sent.body.id}/variants`)
      expect(results.body).toMatchObject({ by: 'event:Purchase', notEnoughData: true, winner: { state: 'testing' } })
    }
  })

  it('may be scheduled, read and changed', async () => {
    const { body } = await send({ variants, winner, sendAt: Date.now() + 3_600_000 })
    expect((await call('GET', `/api/messages/${body.id}`)).body).toMatchObject({ winner: { otherwise: 'A' } })
    const changed = await call('PUT', `/api/messages/${body.id}`, { winner: { ...winner, otherwise: 'B' } })
    expect(changed.body).toMatchObject({ winner: { otherwise: 'B' }, variants: [{ name: 'A' }, { name: 'B' }] })
    expect((await call('GET', `/api/messages/${body.id}/variants`)).status).toBe(409)
  })

  it.each([
    [{ variants: [variants[0]] }, 'variants'],
    [
      {
        variants: [
          { ...variants[0], share: 60 },
          { ...variants[1], share: 60 },
        ],
      },
      'variants',
    ],
    [{ variants: [variants[0], variants[0]] }, 'variants[1].name'],
    [{ variants: [variants[0], { name: 'not a name' }] }, 'variants[1].name'],
    [{ variants: [variants[0], { name: 'B', content: '{{ x' }] }, 'variants[1].content'],
    [
      {
        notification: { title: 'x' },
        variants: [variants[0], { name: 'B', notification: { clickUrl: 'javascript:1' } }],
      },
      'variants[1].notification.clickUrl',
    ],
    [{ control: 91 }, 'control'],
    [{ winner }, 'winner'],
    [{ variants, winner: { ...winner, by: 'seen' } }, 'winner.by'],
    [{ variants, winner: { ...winner, after: '4 hours' } }, 'winner.after'],
    [{ variants, winner: { ...winner, testShare: 91 } }, 'winner.testShare'],
    [{ variants, winner: { ...winner, otherwise: 'C' } }, 'winner.otherwise'],
    [{ variants, winner, ttl: 3600 }, 'winner.after'],
    [{ variants, winner, live: true }, 'winner'],
    [{ goal: { event: 'Purchase' } }, 'goal'],
  ])('is refused with %j, naming %s', async (body, field) => {
    const refused = await send(body)
    expect([refused.status, refused.body.error.details.field]).toEqual([400, field])
    expect(refused.body.error.message).toContain(field)
  })

  it('is refused where a variant is too large for a provider, naming it', async () => {
    const refused = await send({ variants: [variants[0], { name: 'B', content: 'x'.repeat(5_000) }] })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details).toMatchObject({ field: 'variants[1]', variant: 'B' })
  })

  it('has results, which other messages have not', async () => {
    const { body } = await send({})
    expect((await call('GET', `/api/messages/${body.id}/variants`)).status).toBe(404)
    expect((await call('GET', '/api/messages/nothing/variants')).status).toBe(404)
  })
})
