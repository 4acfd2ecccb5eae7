import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { createCertificate } from './certificate.ts'

it("is good for this machine's names, and for ten years", async () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const { key, certificate } = await createCertificate(now)
  const read = new X509Certificate(certificate)
  expect(read.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  expect(read.checkHost('localhost')).toBe('localhost')
  expect(read.checkHost('example.com')).toBeUndefined()
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(new Date(read.validFrom)).toEqual(new Date('2026-04-30T12:00:00Z'))
  expect(new Date(read.validTo)).toEqual(new Date('2036-04-28T12:00:00Z'))
})
