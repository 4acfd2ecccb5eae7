import { isIP } from 'node:net'
import { hostOf } from './connect-socket.ts'
import { isPublicAddress } from './is-public-address.ts'
import { refuseInTransaction } from './refuse-in-transaction.ts'
import { resolveHost } from './resolve-host.ts'

export interface OutboundRules {
  /** Hosts that may be called, as `push.example.com` or `*.push.example.com`. Missing: any. */
  allowedHosts?: readonly string[]
  /** Origins on this machine that may be called as they are: the simulator's. */
  localOrigins: readonly string[]
  /** Else only port 443. */
  isAnyPortAllowed?: boolean
  timeoutMs?: number
  /** Name servers to ask instead of the system's. */
  nameServers?: readonly string[]
}

/** `isTemporary`: the name servers did not answer; a later check may pass. */
export type OutboundCheck = { url: URL; address: string } | { refused: string; isTemporary?: boolean }

/**
 * Whether a URL that came from outside may be called, and where its host is. Connect to the `address` that comes back:
 * a name that is resolved again may lead elsewhere by then.
 */
export async function checkOutbound(url: URL | string, rules: OutboundRules): Promise<OutboundCheck> {
  refuseInTransaction()
  const target = URL.parse(url.toString())
  if (!target) return { refused: 'the URL cannot be read' }
  const host = hostOf(target)
  if (target.username || target.password) return { refused: 'the URL carries a user name or password' }
  if (rules.localOrigins.includes(target.origin)) return { url: target, address: host }
  if (target.protocol !== 'https:') return { refused: 'the URL must begin with https://' }
  if (target.port && !rules.isAnyPortAllowed) return { refused: `port ${target.port} is not allowed, only 443 is` }
  if (rules.allowedHosts && !rules.allowedHosts.some((allowed) => matchesHost(allowed, host))) {
    return { refused: `the host ${host} is not on the list of allowed hosts` }
  }
  const { addresses, isUnclear } = isIP(host)
    ? { addresses: [host], isUnclear: false }
    : await resolveHost(host, rules.timeoutMs ?? 5_000, rules.nameServers)
  const [first] = addresses
  if (first === undefined) return { refused: `the host ${host} could not be resolved`, isTemporary: isUnclear }
  if (!addresses.every(isPublicAddress)) return { refused: `the host ${host} is not on the public internet` }
  return { url: target, address: first }
}

function matchesHost(allowed: string, host: string): boolean {
  const pattern = allowed.toLowerCase()
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length : host === pattern
}
