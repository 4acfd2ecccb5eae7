import { BlockList, isIP } from 'node:net'

/** Nothing outside may lead there: IANA's special-purpose registries, and a cloud's own address in a public range. */
const notPublic4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Only 2000::/3 is given out at all; these parts of it are tunnels, identifiers and documentation. */
const notPublic6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blocked4 = new BlockList()
for (const [network, bits] of notPublic4) blocked4.addSubnet(network, bits, 'ipv4')
const blocked6 = new BlockList()
for (const [network, bits] of notPublic6) blocked6.addSubnet(network, bits, 'ipv6')
const given6 = new BlockList()
given6.addSubnet('2000::', 3, 'ipv6')
const nat64 = new BlockList()
nat64.addSubnet('64:ff9b::', 96, 'ipv6')

/** Whether an address is a host on the public internet, and so not one of this machine or of the network it stands in. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked4.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  if (nat64.check(address, 'ipv6')) return isPublicAddress(embedded4(address))
  return given6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
}

/** The IPv4 address in the last 32 bits, which a network with NAT64 would lead to. */
function embedded4(address: string): string {
  const short = new URL(`http://[${address}]`).hostname.slice('[64:ff9b::'.length, -1)
  const groups = short.split(':').map((group) => Number.parseInt(group || '0', 16))
  const low = groups.at(-1) ?? 0
  const high = groups.at(-2) ?? 0
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
