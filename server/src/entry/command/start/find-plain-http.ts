import { networkInterfaces } from 'node:os'
import type { Config } from '#base/config.ts'
import { isPublicAddress } from '#base/outbound/is-public-address.ts'
import { hasPart } from '../../roles.ts'

const serveOthers = ['http-routes', 'live-connections'] as const

/** The public address at which a production service speaks HTTP without TLS, if there is one. */
export function findPlainHttp(
  { mode, tls, roles }: Pick<Config, 'mode' | 'tls' | 'roles'>,
  listening: string,
  ofMachine: readonly string[] = addressesOfMachine(),
): string | undefined {
  if (mode !== 'production' || tls || !serveOthers.some((part) => hasPart(roles, part))) return undefined
  const isEverywhere = listening === '::' || listening === '0.0.0.0'
  return (isEverywhere ? ofMachine : [listening]).find(isPublicAddress)
}

/** None where the system does not tell them: a sandbox without netlink sockets. */
export function addressesOfMachine(list: typeof networkInterfaces = networkInterfaces): string[] {
  try {
    return Object.values(list()).flatMap((ofOne) => (ofOne ?? []).map(({ address }) => address))
  } catch {
    return []
  }
}
