import { Resolver } from 'node:dns/promises'

export interface ResolvedHost {
  /** IPv4 first. */
  addresses: string[]
  /** The name servers did not say that there are none: later they may say more. */
  isUnclear: boolean
}

const definite = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/**
 * All addresses of a name. Asks the name servers itself: the system's own lookup cannot be cancelled and takes a thread
 * from the rest of the process.
 */
export async function resolveHost(host: string, timeoutMs: number, servers?: readonly string[]): Promise<ResolvedHost> {
  const resolver = new Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 2)), tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const isUnclear = answers.some((answer) => answer.status === 'rejected' && !definite.has(answer.reason?.code))
  return { addresses, isUnclear: addresses.length === 0 && isUnclear }
}
