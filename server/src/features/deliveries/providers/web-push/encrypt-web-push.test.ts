import { createDecipheriv, createECDH, createHmac, createPrivateKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createLocalKey, encryptWebPush, longestRecord, toRecord } from './encrypt-web-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

describe('the encryption of a web push', () => {
  it('gives the bytes of the example in RFC 8291', async () => {
    const publicKey = bytes('BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8')
    const privateKey = createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: publicKey.subarray(1, 33).toString('base64url'),
        y: publicKey.subarray(33).toString('base64url'),
        d: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
      },
    })
    const remote = {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    }
    const record = toRecord('When I grow up, I want to be a watermelon')
    const body = await encryptWebPush(record, remote, { publicKey, privateKey }, bytes('DGv6ra1nlYgDCS1FRnbzlw'))
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('is read by each recipient of a message, and never twice the same', async () => {
    const local = await createLocalKey()
    const browsers = Array.from({ length: 3 }, () => newBrowser())
    for (const text of ['', 'سلام', 'x'.repeat(longestRecord - 1)]) {
      const bodies = await Promise.all(browsers.map(({ keys }) => encryptWebPush(toRecord(text), keys, local)))
      expect(browsers.map((browser, index) => browser.read(bodies[index] as Buffer))).toEqual(browsers.map(() => text))
      expect(new Set(bodies.map((body) => body.subarray(0, 16).toString('hex'))).size).toBe(browsers.length)
      expect(bodies[0]?.length).toBeLessThanOrEqual(4096)
    }
  })

  it('rejects a key that is not on the curve', async () => {
    const { keys } = newBrowser()
    const p256dh = Buffer.from(keys.p256dh)
    p256dh[64] = (p256dh[64] as number) ^ 1
    await expect(encryptWebPush(toRecord('x'), { ...keys, p256dh }, await createLocalKey())).rejects.toThrow()
  })
})

/** The other side, written by the RFC and not from our code. */
function newBrowser() {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys()
  const auth = randomBytes(16)
  const hmac = (key: Buffer, ...data: Buffer[]) => createHmac('sha256', key).update(Buffer.concat(data)).digest()
  return {
    keys: { p256dh, auth },
    read(body: Buffer): string {
      const sender = body.subarray(21, 86)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
      const input = hmac(hmac(auth, pair.computeSecret(sender)), info, Buffer.from([1]))
      const key = hmac(body.subarray(0, 16), input)
      const cipher = createDecipheriv(
        'aes-128-gcm',
        hmac(key, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16),
        hmac(key, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12),
      )
      cipher.setAuthTag(body.subarray(-16))
      const padded = Buffer.concat([cipher.update(body.subarray(86, -16)), cipher.final()])
      expect(padded.at(-1)).toBe(2)
      return padded.subarray(0, -1).toString()
    },
  }
}
