import { faultInWords } from '#base/outbound/describe-fault.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import type { Outcome } from '../provider.ts'
import type { SmsOutcome } from '../providers/sms/sms-outcome.ts'
import type { Examination, Finding } from './finding.ts'

const names: Record<CredentialProvider, string> = {
  fcm: 'Google',
  apns: 'Apple',
  webpush: 'Web Push',
  sms: 'The SMS gateway',
}

/** What an answer to the question "do you take these?" means. */
export function readOutcome(
  provider: CredentialProvider,
  outcome: Outcome | SmsOutcome,
): { finding: Finding; verdict: Examination['verdict']; isProven: boolean } {
  const said = 'detail' in outcome && outcome.detail ? outcome.detail : ''
  const detail = said && sentence(said)
  const values = { provider, ...(detail && { detail }) }
  switch (outcome.kind) {
    case 'accepted':
      return {
        verdict: 'good',
        isProven: !('isUnasked' in outcome),
        finding: {
          ok: true,
          text: capitalise(detail) || `${names[provider]} accepts the credentials.`,
          code: provider === 'webpush' ? 'pair-signs' : 'taken',
          values,
        },
      }
    case 'paused':
    case 'refused':
    case 'gone':
      return {
        verdict: 'bad',
        isProven: true,
        finding: {
          ok: false,
          text: join(`${names[provider]} refuses the credentials:`, detail),
          code: 'not-taken',
          values,
        },
      }
    case 'later':
    case 'unknown': {
      const fault = faultInWords(said)
      const how = fault ? 'could not be reached:' : 'could not be asked:'
      return {
        verdict: 'unasked',
        isProven: true,
        finding: {
          ok: false,
          text: join(`${names[provider]} ${how}`, detail),
          code: 'unasked',
          values: { ...values, ...(fault && { fault }) },
        },
      }
    }
  }
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join(' ')
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
