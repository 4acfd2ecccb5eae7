import { expect, it } from 'vitest'
import { emptyAction, emptyDraft } from '../draft/draft.ts'
import { findBareLinks } from './bare-links.ts'

const linksOf = (clickUrl: string, ...urls: string[]) =>
  findBareLinks({
    notification: { ...emptyDraft.notification, clickUrl, actions: urls.map((url) => ({ ...emptyAction, url })) },
  })

it('are addresses without a scheme, each once', () => {
  expect(linksOf(' shop.example/gift ', 'shop.example/gift', 'www.shop.example:8080?x=1')).toEqual([
    'shop.example/gift',
    'www.shop.example:8080?x=1',
  ])
})

it.each(['', 'https://shop.example', 'shop://cart', 'myapp:cart', '/cart', 'cart', 'tel:+98912', '{{ user.link }}'])(
  'are not: %s',
  (link) => {
    expect(linksOf(link, link)).toEqual([])
  },
)
