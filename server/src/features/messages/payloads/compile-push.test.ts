import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../compose/compose-message.ts'
import { allowedBytes, compilePush } from './compile-push.ts'
import { allPushTargets, type PushTarget, type Recipient, type RenderedPush } from './compiled-push.ts'
import { acceptedAt, id, look, pushMessage, sara } from './payloads.test-support.ts'

const ways = allPushTargets
const android = ways[0] as PushTarget
const apple = ways[3] as PushTarget

function compile(content: MessageContent, expiresInMs = 3_600_000) {
  return compilePush(pushMessage(content, { expiresAt: new Date(acceptedAt.getTime() + expiresInMs) }), look)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
function open(push: RenderedPush): any {
  if (push.kind === 'refused') throw new Error(push.detail)
  return JSON.parse(push.payload.provider === 'fcm' ? `{${push.payload.fields}}` : push.payload.body)
}

describe('a message for everybody', () => {
  it('is written once for each way and reused', () => {
    const compiled = compile({ content: 'Hello', data: { a: 'é' } })
    expect(compiled).toMatchObject({ isPersonal: false, attributes: new Set(), needsPromoCode: false })
    for (const target of ways) {
      const push = compiled.render(target, acceptedAt)
      expect(compiled.render(target, acceptedAt)).toBe(push)
      expect(open(push)).toBeTypeOf('object')
      const json = push.kind === 'ready' && push.payload.provider === 'fcm' ? `{${push.payload.fields}}` : undefined
      if (json) expect(push).toMatchObject({ bytes: Buffer.byteLength(json) })
    }
  })

  it('is the same for devices of any kind behind one provider that knows one kind', () => {
    const compiled = compile({ content: 'Hello' })
    expect(compiled.render({ provider: 'apns', platform: 'android' }, acceptedAt)).toBe(
      compiled.render(apple, acceptedAt),
    )
  })

  it.each([
    [3_600_000, 0, '3600s'],
    [3_600_000, 1_500, '3598s'],
    [3_600_000, 9_999_999, '0s'],
    [40 * 86_400_000, 0, '2419200s'],
  ])('with %i ms to live tells FCM after %i ms: %s', (expiresInMs, afterMs, ttl) => {
    const push = compile({ content: 'x' }, expiresInMs).render(android, new Date(acceptedAt.getTime() + afterMs))
    expect(open(push).android.ttl).toBe(ttl)
  })

  it('is written again only when the seconds that are left have changed', () => {
    const compiled = compile({ content: 'x' })
    const at = (ms: number) => compiled.render(android, new Date(acceptedAt.getTime() + ms))
    expect(at(1)).toBe(at(900))
    expect(at(1_001)).not.toBe(at(1))
    expect(compiled.render(apple, new Date(acceptedAt.getTime() + 5_000))).toBe(compiled.render(apple, acceptedAt))
  })
})

describe('a message with templates', () => {
  const everywhere: MessageContent = {
    content: '{{ user.firstName }} "quoted" \\',
    data: { name: '{{ user.firstName }}', list: [{ code: '{{ promoCode }}' }], plain: 1 },
    notification: {
      title: 'Dear {{ user.firstName | default: "friend" }}',
      clickUrl: 'https://shop.example/{{ userId }}/{{ installationId }}',
      actions: [{ id: 'go', title: 'Go, {{ user.firstName }}', url: 'shop://{{ deviceType }}/{{ user.id }}' }],
    },
  }
  const recipient: Recipient = { ...sara, attributes: { firstName: 'Sá"r\\a\n😀' } }
  const write = async (content: MessageContent, to: Recipient) => {
    const compiled = compile(content)
    await compiled.renderSlowTexts(1, [to])
    return compiled.render(apple, acceptedAt, to)
  }

  it('is written for its recipient in all its texts, on all ways', () => {
    const compiled = compile(everywhere)
    expect(compiled).toMatchObject({ isPersonal: true, needsPromoCode: true })
    expect(compiled.attributes).toEqual(new Set(['firstName', 'id']))
    const name = 'Sá"r\\a\n😀'
    const clickUrl = `https://shop.example/sara/${sara.installationId}`
    const action = { id: 'go', title: `Go, ${name}`, url: 'shop://ios/sara' }
    const data = { name, list: [{ code: 'SPRING-1' }], plain: 1 }
    const title = `Dear ${name}`
    const body = `${name} "quoted" \\`
    for (const target of ways) {
      const push = compiled.render(target, acceptedAt, recipient)
      const json = open(push)
      if (push.kind === 'ready') expect(push.bytes).toBe(Buffer.byteLength(JSON.stringify(json)))
      const ios = target.provider === 'apns' ? json : json.apns?.payload
      const client = json.data && target.provider === 'fcm' ? json.data : json
      if (ios) {
        expect(ios).toMatchObject({ aps: { alert: { title, body } }, clickUrl, data, category: { actions: [action] } })
      } else if (target.provider === 'fcm') {
        expect(client).toMatchObject({ title, body, clickUrl })
        expect(JSON.parse(client.data)).toEqual(data)
        expect(JSON.parse(client.actions)).toEqual([action])
      } else {
        expect(client).toMatchObject({ title, body, clickUrl, data, actions: [action] })
      }
    }
  })

  it('leaves what is missing empty, and gives dates as ISO texts', () => {
    const compiled = compile({ content: '[{{ user.nothing.at.all }}|{{ user.born }}|{{ promoCode }}]' })
    const attributes = { born: new Date('2000-01-02T03:04:05Z') }
    const push = compiled.render(apple, acceptedAt, { ...sara, attributes, promoCode: undefined })
    expect(open(push).aps.alert.body).toBe('[|2000-01-02T03:04:05.000Z|]')
  })

  it('gives an attribute named id before the user’s own id', () => {
    const compiled = compile({ content: '{{ user.id }}' })
    expect(open(compiled.render(apple, acceptedAt, sara)).aps.alert.body).toBe('sara')
    const other = compiled.render(apple, acceptedAt, { ...sara, attributes: { id: 7 } })
    expect(open(other).aps.alert.body).toBe('7')
  })

  it.each<[MessageContent, object]>([
    [{ content: '{{ deviceType }}' }, { isPersonal: true, attributes: new Set(), needsPromoCode: false }],
    [{ content: '{% assign u = user %}{{ u.name }}' }, { isPersonal: true, attributes: 'all', needsPromoCode: false }],
    [{ content: '{% if promoCode %}x{% endif %}' }, { isPersonal: true, attributes: new Set(), needsPromoCode: true }],
    [{ content: 'say user and promoCode {{ userId }}' }, { attributes: new Set(), needsPromoCode: false }],
    // Only what a push shows makes it personal; a code is given for what waits in the inbox, too.
    [
      { content: '{{ user.name }} {{ promoCode }}', alertText: 'x' },
      { isPersonal: false, attributes: new Set(), needsPromoCode: true },
    ],
  ])('of %j needs %j', (content, needs) => {
    expect(compile(content)).toMatchObject(needs)
  })

  it('does not take the app’s own text, an attribute or a code for a template', () => {
    const own = { ...look, notificationText: '{{ userId }}', name: '{{ promoCode }}' }
    const compiled = compilePush(pushMessage({ content: 'x', data: { a: '{{ user.firstName }}' } }), own)
    const json = open(compiled.render(apple, acceptedAt, { ...sara, attributes: { firstName: '{{ deviceType }}' } }))
    expect(json).toMatchObject({
      aps: { alert: { title: '{{ promoCode }}', body: '{{ userId }}' } },
      data: { a: '{{ deviceType }}' },
    })
  })

  it.each<[string, MessageContent, string]>([
    ['fails', { content: '{{ user }}' }, '"content": Cannot convert'],
    ['runs too long', { content: '{% for i in (1..100000) %}{% endfor %}' }, '"content": it takes too many steps'],
    ['grows too large', { content: '{% for i in (1..9999999) %}x{% endfor %}' }, '"content": memory alloc limit'],
    [
      'becomes a forbidden link',
      { notification: { title: 'x', clickUrl: '{{ user.link }}' } },
      '"notification.clickUrl" became a javascript: link',
    ],
    [
      'becomes a forbidden link of an action',
      { notification: { title: 'x', actions: [{ url: '{{ user.link }}:x' }] } },
      '"notification.actions[0].url" became a javascript: link',
    ],
    ['does not parse any more', { content: '{{ a | nosuchfilter }}' }, '"content" is not a template any more'],
  ])('that %s is refused with the reason', async (_name, content, detail) => {
    const push = await write(content, { ...sara, attributes: { link: 'java\nscript:alert(1)' } })
    expect(push).toMatchObject({ kind: 'refused', detail: expect.stringContaining(detail) })
  })

  it('reaches nothing but what it is given', () => {
    const content =
      '{{ user.constructor }}{{ user.__proto__ }}{{ constructor }}{{ process }}{{ user.list.constructor }}'
    const push = compile({ content }).render(apple, acceptedAt, { ...sara, attributes: { list: ['a'] } })
    expect(open(push).aps.alert.body).toBe('')
  })

  it('is always valid Unicode', async () => {
    const content = '{{ "%00" | url_decode }}{{ user.half }}'
    const push = await write({ content }, { ...sara, attributes: { half: '\ud83d' } })
    expect(open(push).aps.alert.body).toBe('\ufffd\ufffd')
  })

  it('cannot be rendered for nobody', () => {
    expect(() => compile({ content: '{{ userId }}' }).render(apple, acceptedAt)).toThrow('for somebody')
  })
})

describe('the size of a payload', () => {
  it.each(ways)('is counted as the provider counts, to the byte: %o', (target) => {
    const bytesOf = (body: string) => compile({ content: body }).render(target, acceptedAt)
    const empty = bytesOf('')
    const room = allowedBytes[target.provider] - (empty.kind === 'ready' ? empty.bytes : 0)
    expect(bytesOf('x'.repeat(room))).toMatchObject({ kind: 'ready', bytes: allowedBytes[target.provider] })
    expect(bytesOf('x'.repeat(room + 1))).toEqual({
      kind: 'refused',
      detail: `it has ${allowedBytes[target.provider] + 1} bytes, allowed are ${allowedBytes[target.provider]}`,
      bytes: allowedBytes[target.provider] + 1,
    })
    expect(bytesOf('ه'.repeat(Math.floor(room / 2)))).toMatchObject({ kind: 'ready' })
    expect(bytesOf('ه'.repeat(Math.floor(room / 2) + 1))).toMatchObject({ kind: 'refused' })
  })

  it('is known only with the recipient when there are templates', () => {
    const compiled = compile({ content: '{{ user.text }}' })
    const render = (text: string) => compiled.render(apple, acceptedAt, { ...sara, attributes: { text } })
    expect(render('x'.repeat(3_000))).toMatchObject({ kind: 'ready' })
    expect(render('x'.repeat(5_000))).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(/^it has 5\d\d\d bytes/),
    })
  })

  it('does not depend on a content that the push does not carry', () => {
    const push = compile({ content: 'x'.repeat(100_000), alertText: 'short' }).render(apple, acceptedAt)
    expect(open(push)).toEqual({ aps: { alert: { title: 'Shop', body: 'short' }, sound: 'default' }, messageId: id })
  })
})
