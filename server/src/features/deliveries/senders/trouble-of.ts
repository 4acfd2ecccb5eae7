import type { TroubleReason } from '@peyk/contract'
import { faultInWords } from '#base/outbound/describe-fault.ts'
import type { Outcome } from '../provider.ts'

/** What an outcome says of the provider: that it does its work, what is wrong with it, or nothing. */
export function troubleOf(outcome: Outcome): TroubleReason | 'none' | undefined {
  switch (outcome.kind) {
    case 'accepted':
    case 'gone':
    case 'refused':
      return 'none'
    case 'unknown':
      return faultInWords(outcome.detail) ?? 'timed-out'
    case 'later': {
      const fault = faultInWords(outcome.detail)
      if (fault) return fault
      if (outcome.isFault) return 'server-error'
      return outcome.isForAll ? 'slow-down' : undefined
    }
    case 'paused':
      return undefined
  }
}
