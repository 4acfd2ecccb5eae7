import { expect, it } from 'vitest'
import { isOurs } from './worker-registration.ts'

const page = 'https://shop.example/orders/'
const place = { url: '/sw.js', scope: undefined, appId: 'shop' }

it.each([
  ['https://shop.example/sw.js?appId=shop', true, 'we registered it'],
  ['https://shop.example/sw.js', true, 'the site registered it'],
  ['https://shop.example/sw.js?v=3', true, 'the site registered it'],
  ['https://shop.example/other.js', false, 'it is the site’s other worker'],
  ['https://shop.example/js/sw.js', false, 'it is the site’s other worker'],
  ['https://shop.example/sw.js?appId=test', false, 'it works for another app'],
])('a worker at %s is ours: %s, because %s', (scriptUrl, expected) => {
  expect(isOurs(scriptUrl, place, page)).toBe(expected)
})

it('a worker’s address may be relative to the page', () => {
  expect(isOurs('https://shop.example/orders/sw.js', { ...place, url: 'sw.js' }, page)).toBe(true)
})
