import type { DetailCode } from '@peyk/contract'
import { choosePath, type Path } from '../choose-path.ts'
import { type ProviderName, providerNames } from '../provider.ts'

/** Ends that do not come from the choice of a way. */
export const ownDetails = {
  'uninstalled-before': 'uninstalled before it was sent',
  'other-user': 'another user is logged in by now',
} as const satisfies Partial<Record<DetailCode, string>>

export interface KnownDetail {
  code: DetailCode
  provider?: ProviderName
}

/** What a stored detail says, when it is in our own words; undefined when it is in a provider's. */
export function findDetailCode(detail: string | null): KnownDetail | undefined {
  return detail === null ? undefined : known.get(detail)
}

const known = new Map<string, KnownDetail>(listKnown())

function* listKnown(): Generator<[string, KnownDetail]> {
  for (const [code, detail] of Object.entries(ownDetails)) yield [detail, { code: code as DetailCode }]
  for (const path of listPaths()) yield [path.why, { code: path.code, ...withProvider(path) }]
}

function withProvider(path: Path): { provider?: ProviderName } {
  if (path.kind === 'provider') return { provider: path.provider }
  const provider = path.kind === 'connection' ? path.next : path.missing
  return provider ? { provider } : {}
}

/** Every way there is, by asking for each case. */
function* listPaths(): Generator<Path> {
  const flags = [{}, { silent: true }, { inApp: true }, { live: true }]
  const tokens = [null, 'a', 'a'.repeat(64), '{}']
  const presences = [{ isConnected: false }, { isConnected: true }, { isConnected: true, isOpen: true }]
  for (const product of ['message', 'notification'] as const)
    for (const flag of flags)
      for (const token of tokens)
        for (const tokenStatus of [null, 'DENIED'])
          for (const presence of presences)
            for (const names of [new Set(providerNames), new Set<ProviderName>()])
              yield choosePath({ product, ...flag }, { deviceType: 'ios', token, tokenStatus, ...presence }, names)
}
