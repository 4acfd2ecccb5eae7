import { expect, it } from 'vitest'
import { describeBrowser } from './describe-browser.ts'

it.each([
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    { deviceModel: 'Chrome', browserVersion: '142.0.0.0', deviceManufacturer: 'Android', osVersion: '15' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    { deviceModel: 'Edge', browserVersion: '142.0.0.0', deviceManufacturer: 'Windows', osVersion: '10.0' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { deviceModel: 'Safari', browserVersion: '18.1', deviceManufacturer: 'iOS', osVersion: '18.1' },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
    { deviceModel: 'Firefox', browserVersion: '144.0', deviceManufacturer: 'Linux' },
  ],
  ['something else', {}],
])('%s', (userAgent, described) => {
  expect(describeBrowser(userAgent)).toEqual(described)
})
