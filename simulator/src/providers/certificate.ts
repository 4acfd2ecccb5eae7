import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

const generate = promisify(generateKeyPair)
const validMs = 3650 * 24 * 3600 * 1000

/** DER: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 256 ? 2 : 4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const octets = (content: Buffer) => der(0x04, content)
const yes = der(0x01, Buffer.from([0xff]))
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`, 'ascii'))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = '550403'
const basicConstraints = '551d13'
const keyUsage = '551d0f'
const extendedKeyUsage = '551d25'
const serverAuth = '2b06010505070301'
const subjectAltName = '551d11'

const dnsName = (name: string) => der(0x82, Buffer.from(name, 'ascii'))
const ipAddress = (bytes: number[]) => der(0x87, Buffer.from(bytes))

/** A certificate for this machine's own names, signed by itself: it is its own authority. */
export async function createCertificate(now: Date): Promise<{ key: string; certificate: string }> {
  const { privateKey, publicKey } = await generate('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid(commonName), der(0x0c, Buffer.from('Peyk simulator')))))
  const extensions = sequence(
    sequence(oid(basicConstraints), yes, octets(sequence(yes))),
    // digitalSignature and keyCertSign
    sequence(oid(keyUsage), yes, octets(der(0x03, Buffer.from([2, 0x84])))),
    sequence(oid(extendedKeyUsage), octets(sequence(oid(serverAuth)))),
    sequence(
      oid(subjectAltName),
      octets(sequence(dnsName('localhost'), ipAddress([127, 0, 0, 1]), ipAddress([...new Array(15).fill(0), 1]))),
    ),
  )
  const serial = randomBytes(16)
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now.getTime() - 24 * 3600 * 1000)), time(new Date(now.getTime() + validMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signed = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${signed
      .toString('base64')
      .replace(/.{64}/g, '$&\n')
      .trimEnd()}\n-----END CERTIFICATE-----\n`,
  }
}
