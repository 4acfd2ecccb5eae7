import { expect, it } from 'vitest'
import { Peyk } from './peyk.ts'

const options = { appId: 'shop', clientKey: 'key', baseUrl: 'https://push.example.com' }

it.each([{ appId: '' }, { clientKey: '' }, { baseUrl: '' }, { baseUrl: 'push.example.com' }, { baseUrl: '/push' }])(
  'does not begin with %j',
  (wrong) => {
    expect(() => new Peyk({ ...options, ...wrong })).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  },
)
