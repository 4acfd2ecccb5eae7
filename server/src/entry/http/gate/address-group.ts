import { isIP } from 'node:net'

/** Whom an address belongs to, for limits: of IPv6 the first 64 bits, for one customer has all that begin with them. */
export function addressGroup(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIP(plain) !== 6) return plain
  const [head = [], tail] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - head.length - (tail?.length ?? 0)).fill('0')
  const groups = tail ? [...head, ...zeros, ...tail] : head
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}

export function isLoopback(address: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address)
}
