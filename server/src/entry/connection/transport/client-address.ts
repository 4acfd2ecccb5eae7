import { BlockList, isIP } from 'node:net'

/** The addresses and networks of proxies that are believed. */
export function trustedProxies(list: readonly string[]): BlockList {
  const trusted = new BlockList()
  for (const item of list) {
    const [address = '', bits] = item.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) continue
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return trusted
}

/** Who opened the line: the last address in X-Forwarded-For that no trusted proxy has. */
export function clientAddress(remote: string, forwarded: string | undefined, trusted: BlockList): string {
  const path = [...(forwarded ?? '').split(',').map((part) => part.trim()), remote].filter((part) => isIP(part) !== 0)
  return path.findLast((address) => !isTrusted(address, trusted)) ?? path[0] ?? remote
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return trusted.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
