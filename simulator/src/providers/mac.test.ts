import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createMac } from './mac.ts'

it('is HMAC-SHA-256', () => {
  for (const text of ['', 'a', 'سلام', 'x'.repeat(1000)]) {
    const secret = randomBytes(32)
    expect(createMac(secret)(text)).toEqual(createHmac('sha256', secret).update(text).digest())
  }
})
