import { createTestServer } from '@peyk/test/service/test-server.ts'
import { describe, expect, it } from 'vitest'
import { createCategory } from '#features/categories/create-category.ts'
import { getPreferences } from '#features/categories/preferences/get-preferences.ts'
import { sealPreferenceLink } from '#features/categories/preferences/preference-link.ts'
import { pageTexts, pickText, readLanguages } from './preference-texts.ts'

const { baseUrl, ctx, call } = await createTestServer()
await createCategory(ctx, {
  id: 'news',
  name: { en: 'News <b>& more</b>', fa: 'خبرها' },
  description: { en: 'Once a week.' },
})
await createCategory(ctx, { id: 'tips', name: { en: 'Tips' } })
const userId = 'sara'
const link = await linkOf(userId)

async function linkOf(user: string): Promise<string> {
  return (await call('GET', `/api/users/${user}/preferences`)).body.url
}

/** What a user chooses on their page, and what is stored of it. */
async function openChoice(user: string) {
  const url = await linkOf(user)
  return {
    wants: () => getPreferences(ctx, { userId: user }),
    post: (form: Record<string, string> | [string, string][]) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(form) }),
  }
}

describe('the page of preferences', () => {
  it('is reached by a link that tells nobody whose it is, and changes nothing by being opened', async () => {
    expect(link).toMatch(new RegExp(`^${baseUrl}/preferences/[\\w-]+$`))
    expect(link).not.toContain(userId)
    const page = await fetch(link)
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'sha256-"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(html).toContain('News &#60;b&#62;&#38; more&#60;/b&#62;')
    expect(html).toContain('Once a week.')
    expect(html.match(/ checked/g)).toHaveLength(3)
    expect(await getPreferences(ctx, { userId })).toEqual({ all: true, categories: { news: true, tips: true } })
  })

  it('keeps what is chosen there', async () => {
    const { post, wants } = await openChoice('omid')
    const saved = await post({ all: 'true', wanted: 'tips' })
    expect(saved.status).toBe(200)
    expect(await saved.text()).toContain('Your choice was saved.')
    expect(await wants()).toEqual({ all: true, categories: { news: false, tips: true } })
    await post([
      ['wanted', 'news'],
      ['wanted', 'tips'],
      ['wanted', 'unknown'],
    ])
    expect(await wants()).toEqual({ all: false, categories: { news: true, tips: true } })
  })

  it('takes a refusal by one click', async () => {
    const { post, wants } = await openChoice('parisa')
    await post({ all: 'true', wanted: 'news' })
    expect((await post({ 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    expect(await wants()).toEqual({ all: false, categories: { news: true, tips: false } })
  })

  it('accepts forms of up to 16 KiB, and nothing else', async () => {
    const own = await linkOf('reza')
    const send = (bytes: number, type = 'application/x-www-form-urlencoded', at = own) =>
      fetch(at, { method: 'POST', headers: { 'content-type': type }, body: `all=true&x=${'x'.repeat(bytes - 11)}` })
    expect((await send(16_384)).status).toBe(200)
    for (const at of [own, `${baseUrl}/preferences/none`]) {
      const refused = await send(16_385, undefined, at)
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
        413,
        'too-large',
      ])
    }
    expect((await send(100, 'application/json')).status).toBe(415)
  })

  it('speaks the language of its reader, from the right where that is read so', async () => {
    const page = await fetch(link, { headers: { 'accept-language': 'fa-IR,fa;q=0.9,en;q=0.5' } })
    const html = await page.text()
    expect(html).toContain('<html lang="fa" dir="rtl">')
    expect(html).toContain('خبرها')
  })

  it.each([
    ['nonsense', 'abc'],
    ['of another kind', ctx.external.secretBox.seal(JSON.stringify(['session', 1, 'sara'])).toString('base64url')],
    ['of an app that is gone', sealPreferenceLink(ctx.external, { appId: 999_999, userId })],
    ['cut off', link.split('/').at(-1)?.slice(0, -3) as string],
    ['very long', 'a'.repeat(3_000)],
  ])('is not there for a link that is %s', async (_what, token) => {
    for (const method of ['GET', 'POST']) {
      const page = await fetch(`${baseUrl}/preferences/${token}`, { method })
      expect(page.status).toBe(404)
      expect(await page.text()).toContain('This link does not work')
    }
  })
})

describe('languages', () => {
  it('are read as a browser says them', () => {
    expect(readLanguages('en;q=0.5, fa_IR, xx;q=0, de;q=0.7')).toEqual(['fa-ir', 'de', 'en'])
    expect(readLanguages(undefined)).toEqual([])
    expect(readLanguages('*, <script>;q=1')).toEqual([])
  })

  it('fall back to what there is', () => {
    expect(pageTexts(['xx', 'tr-tr']).language).toBe('tr')
    expect(pageTexts([]).language).toBe('en')
    expect(pageTexts(['constructor']).language).toBe('en')
    expect(pickText({ en: 'News', 'pt-BR': 'Notícias' }, ['pt-br-x', 'en'])).toBe('Notícias')
    expect(pickText({ en: 'News', fa: 'خبرها' }, ['de'])).toBe('News')
  })
})
