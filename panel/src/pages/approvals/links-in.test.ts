import { expect, it } from 'vitest'
import { linksIn } from './links-in.ts'

it('finds every address of a message, in its languages and variants, once', () => {
  const links = linksIn({
    notification: { clickUrl: 'https://a.test', mediaUrl: 'https://a.test/a.png', icon: 'ic_bell' },
    contents: { fa: { notification: { clickUrl: 'https://fa.test' } } },
    variants: [
      {
        name: 'A',
        notification: { clickUrl: 'https://a.test', actions: [{ id: 'x', title: 'Buy', url: 'https://buy.test' }] },
      },
      { name: 'B', contents: { de: { notification: { clickUrl: 'https://de.test' } } } },
    ],
  })
  expect(links).toEqual([
    { kind: 'tap', url: 'https://a.test' },
    { kind: 'image', url: 'https://a.test/a.png' },
    { kind: 'tap', url: 'https://fa.test' },
    { kind: 'button', title: 'Buy', url: 'https://buy.test' },
    { kind: 'tap', url: 'https://de.test' },
  ])
})
