import { networkInterfaces } from 'node:os'
import type { Config } from '../../../base/config.ts'
import { isPublicAddress } from '../../../base/outbound/is-public-address.ts'

/** The public address at which a production service speaks HTTP without TLS, if there is one. */
export function findPlainHttp(
  { mode, tls }: Pick<Config, 'mode' | 'tls'>,
  listening: string,
  ofMachine: readonly string[] = addressesOfMachine(),
): string | undefined {
  if (mode !== 'production' || tls) return undefined
  const isEverywhere = listening === '::' || listening === '0.0.0.0'
  return (isEverywhere ? ofMachine : [listening]).find(isPublicAddress)
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((ofOne) => (ofOne ?? []).map(({ address }) => address))
}
