import { expect, it } from 'vitest'
import { readImageAddress } from './image-address.ts'

const own = `/images/${'0a'.repeat(32)}.png`

it.each([
  ['', 'none'],
  ['ic_sale', 'none'],
  ['https://', 'none'],
  ['https://shop.example/{{ user.id }}.png', 'none'],
  ['data:image/png;base64,AAAA', 'none'],
  ['https://shop.example/sale.png', 'https'],
  ['HTTP://shop.example/sale.png', 'http'],
  ['http://localhost:8090/sale.png', 'http'],
  [`http://localhost:8090${own}`, 'this-machine'],
  [`http://shop.localhost:8090${own}`, 'this-machine'],
  [`http://[::1]:8090${own}`, 'this-machine'],
  [`http://push.example.com${own}`, 'own-http'],
] as const)('%s is %s in development', (text, address) => {
  expect(readImageAddress(text, true)).toBe(address)
})

it('takes what production serves on this machine for what no phone can load', () => {
  expect(readImageAddress(`http://localhost:8090${own}`, false)).toBe('own-http')
  expect(readImageAddress(`https://push.example.com${own}`, false)).toBe('https')
})
