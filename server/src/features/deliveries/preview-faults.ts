import type { DryRun } from '@peyk/contract'
import type { Ways } from './preview-ways.ts'

/** What would go wrong, for a person to read. */
export function findFaults(
  { count, outcomes, samples, sms, promo }: Omit<DryRun, 'dryRun' | 'faults'>,
  { paused, hasSms }: Ways,
): string[] {
  const faults: string[] = []
  if (count === 0) faults.push('Nobody receives it.')
  for (const outcome of outcomes) {
    const reason = paused.get(outcome.path)
    if (reason !== undefined) {
      faults.push(`${outcome.path} is paused, with ${installations(outcome.count)} waiting: ${reason}`)
    }
    if (outcome.path === 'ended') faults.push(`Not sent to ${installations(outcome.count)}: ${outcome.why}.`)
  }
  for (const { provider, platform, fault } of samples) {
    if (fault !== undefined) faults.push(`A sample for ${provider} on ${platform} would be refused: ${fault}.`)
  }
  if (promo && promo.missing > 0) {
    faults.push(`Not sent to ${users(promo.missing)}: there are not enough promo codes.`)
  }
  if (sms && !hasSms) faults.push('The app has no SMS gateway: no substitute SMS is sent.')
  else if (sms && paused.has('sms')) faults.push(`SMS is paused: ${paused.get('sms')}`)
  if (sms && sms.withPhone < sms.users) {
    faults.push(`No substitute SMS for ${users(sms.users - sms.withPhone)}: no phone number is known.`)
  }
  return [...new Set(faults)]
}

const installations = (count: number) => (count === 1 ? '1 installation' : `${count} installations`)
const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)
