import { describe, expect, it } from 'vitest'
import type { MessageContent } from '../compose/compose-message.ts'
import { compileConnection } from './compile-connection.ts'
import { compilePush } from './compile-push.ts'
import { allPushTargets, type RenderedPush } from './compiled-push.ts'
import { acceptedAt, look, pushMessage, sara } from './payloads.test-support.ts'

const message: MessageContent = {
  content: 'Hello',
  notification: {
    title: 'Sale',
    body: 'All',
    mediaUrl: 'https://shop.example/en.png',
    actions: [{ id: 'a', title: 'Go' }],
  },
  contents: {
    fa: {
      content: 'سلام',
      notification: {
        title: 'حراج',
        body: 'همه',
        mediaUrl: 'https://shop.example/fa.png',
        actions: [{ title: 'برو' }],
      },
    },
    de: { notification: { title: 'Ausverkauf, {{ user.firstName }}' } },
  },
}
const inLanguage = (language: string) => ({ ...sara, language })

// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
function open(push: RenderedPush): any {
  if (push.kind === 'refused') throw new Error(push.detail)
  return JSON.parse(push.payload.provider === 'fcm' ? `{${push.payload.fields}}` : push.payload.body)
}

describe('a message in several languages', () => {
  const compiled = compilePush(pushMessage(message), look)

  it('is written for each provider in the language of the recipient', () => {
    const [fcm, , , apns, web] = allPushTargets.map((target) =>
      open(compiled.render(target, acceptedAt, inLanguage('fa'))),
    )
    expect(fcm.data).toMatchObject({ title: 'حراج', body: 'همه', image: 'https://shop.example/fa.png', dir: 'rtl' })
    expect(JSON.parse(fcm.data.actions)).toEqual([{ id: 'a', title: 'برو' }])
    expect(apns).toMatchObject({
      aps: { alert: { title: 'حراج', body: 'همه' } },
      media: { url: 'https://shop.example/fa.png' },
    })
    expect(web).toMatchObject({ title: 'حراج', body: 'همه', dir: 'rtl', actions: [{ id: 'a', title: 'برو' }] })
    const plain = open(compiled.render({ provider: 'webpush', platform: 'web' }, acceptedAt, inLanguage('default')))
    expect(plain).toMatchObject({ title: 'Sale', body: 'All' })
    expect(plain).not.toHaveProperty('dir')
  })

  it('is written once for each language, unless that is personal', () => {
    const target = { provider: 'apns', platform: 'ios' } as const
    const render = (language: string, userId: string) =>
      compiled.render(target, acceptedAt, { ...inLanguage(language), userId })
    expect(render('fa', 'a')).toBe(render('fa', 'b'))
    expect(render('default', 'a')).toBe(render('default', 'b'))
    expect(render('fa', 'a')).not.toBe(render('default', 'a'))
    expect(open(render('de', 'a')).aps.alert).toEqual({ title: 'Ausverkauf, Sara', body: 'All' })
  })

  it('is never written for nobody', () => {
    expect(() => compiled.render({ provider: 'apns', platform: 'ios' }, acceptedAt)).toThrow('rendered for somebody')
    expect(() => compileConnection(pushMessage(message), look).render()).toThrow('rendered for somebody')
  })

  it('says what it needs of recipients in any of its languages', () => {
    expect(compiled).toMatchObject({ isPersonal: true, attributes: new Set(['firstName']), needsPromoCode: false })
    const withCode = { ...message, contents: { fa: { content: '{{ promoCode }}' } } }
    expect(compilePush(pushMessage(withCode), look).needsPromoCode).toBe(true)
    expect(['fa-IR', 'de_AT', 'en', null].map((written) => compiled.languageFor?.(written))).toEqual([
      ...['fa', 'de', 'default', 'default'],
    ])
    expect(compilePush(pushMessage({ content: 'x' }), look).languageFor).toBeUndefined()
  })

  it('has slow texts for those only who get them', async () => {
    const slow = '{% for i in (1..9000) %}{{ i }}{% endfor %}{{ user.firstName }}'
    const both = compilePush(pushMessage({ content: 'x', contents: { fa: { content: slow } } }), look)
    const [persian, plain] = [inLanguage('fa'), inLanguage('default')]
    expect([both.needsSlowTexts([plain]), both.needsSlowTexts([plain, persian])]).toEqual([false, true])
    await both.renderSlowTexts(1, [plain, persian])
    expect(both.needsSlowTexts([plain, persian])).toBe(false)
    expect(plain).not.toHaveProperty('written')
  })

  it('is written for the own connection, once for each language', () => {
    const own = compileConnection(pushMessage(message), look)
    const body = (language: string) => {
      const rendered = own.render(inLanguage(language))
      return rendered.kind === 'ready' ? rendered.body : undefined
    }
    expect(own.isPersonal).toBe(true)
    expect(JSON.parse(String(body('fa')))).toMatchObject({
      content: 'سلام',
      notification: { title: 'حراج', dir: 'rtl' },
    })
    expect(JSON.parse(String(body('default')))).toMatchObject({ content: 'Hello', notification: { title: 'Sale' } })
    expect(JSON.parse(String(body('default')))).not.toHaveProperty('contents')
    expect(body('fa')).toBe(body('fa'))
  })
})
