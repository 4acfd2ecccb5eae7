import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from './address-group.ts'

/** Headers that only a proxy between the caller and the service sets. */
const ofProxies = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'])
const localName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Returns true if the caller is a program on this machine that acts for itself. A local proxy forwards requests of
 * others, and a page whose name was rebound to this machine sends that name as its Host.
 */
export function isOwnMachine({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  if (!isLoopback(raw.socket.remoteAddress ?? '') || !localName.test(headers.host ?? '')) return false
  return Object.keys(headers).every((name) => !ofProxies.has(name) && !name.startsWith('x-forwarded'))
}

/** Whether the operator named this address as a proxy. If an entry cannot be parsed, every address counts as named. */
export function isNamedProxy(address: string, trustProxy: readonly string[]): boolean {
  const named = new BlockList()
  const add = (network: string, prefix?: number) => {
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) named.addAddress(network, family)
    else named.addSubnet(network, prefix, family)
  }
  for (const entry of trustProxy) {
    const [network = '', prefix] = entry.split('/')
    if (isIP(network) === 0 || (prefix !== undefined && !/^\d+$/.test(prefix))) return true
    add(network, prefix === undefined ? undefined : Number(prefix))
  }
  return named.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
