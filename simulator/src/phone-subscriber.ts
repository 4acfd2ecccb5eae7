import { pushProviderOf } from './phones/platform.ts'
import type { Subscriber } from './phones/subscriber.ts'
import type { ProviderName } from './providers/provider.ts'
import type { TakenPush } from './providers/record.ts'
import { newId, type Tokens } from './providers/tokens.ts'

/** Phones get their tokens from the simulated providers, and are found there by the token's id. */
export function createSubscriber(tokens: Tokens): Subscriber {
  return {
    async begin(platform, vapidKey) {
      const provider = pushProviderOf[platform]
      const id = newId()
      const token = tokens.issue(provider, id, vapidKey ?? undefined)
      const deviceToken = typeof token === 'string' ? token : JSON.stringify(token)
      return { deviceToken, address: addressOf(provider, id) }
    },
    find(platform, deviceToken) {
      const provider = pushProviderOf[platform]
      const known = tokens.read(provider, deviceToken)
      return known && addressOf(provider, known.id)
    },
    end: (platform, address) => tokens.killId(pushProviderOf[platform], idIn(address)),
    forget: (platform, address) => tokens.reviveId(pushProviderOf[platform], idIn(address)),
  }
}

function idIn(address: string): string {
  return address.slice(address.indexOf(':') + 1)
}

export function addressOf(provider: ProviderName, tokenId: TakenPush['tokenId']): string {
  return `${provider}:${tokenId}`
}
