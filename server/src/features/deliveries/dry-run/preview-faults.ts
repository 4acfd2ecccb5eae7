import type { DryRun } from '@peyk/contract'
import type { MissingValue } from './missing-values.ts'
import type { ReadPreview } from './preview-messages.ts'
import type { ProviderSetup } from './read-provider-setup.ts'
import type { UnknownVariable } from './unknown-variables.ts'

type Outcome = DryRun['outcomes'][number]
type Sample = DryRun['samples'][number]
type Fault = DryRun['faultCodes'][number] & { sentence: string }

/** What would go wrong: each for a person to read, and the same for a program. */
export function findFaults(
  { count, outcomes, samples, sms, promo }: Omit<DryRun, 'dryRun' | 'faults' | 'faultCodes'>,
  {
    setup,
    unknown,
    missing,
    late,
    unused,
  }: Pick<ReadPreview, 'setup' | 'unknown' | 'missing' | 'late'> & { unused: readonly string[] },
): Pick<DryRun, 'faults' | 'faultCodes'> {
  const found: Fault[] = []
  if (count === 0) found.push({ code: 'nobody', sentence: 'Nobody receives it.' })
  found.push(...outcomes.flatMap((outcome) => faultOfOutcome(outcome, setup)), ...samples.flatMap(faultOfSample))
  if (late > 0) {
    const sentence = `Not sent to ${installations(late)}: at this pace the message expires before their turn.`
    found.push({ code: 'too-slow', count: late, sentence })
  }
  if (promo && promo.missing > 0) {
    const sentence = `Not sent to ${users(promo.missing)}: there are not enough promo codes.`
    found.push({ code: 'no-codes', count: promo.missing, sentence })
  }
  if (sms) found.push(...faultsOfSms(sms, setup))
  found.push(...unknown.map(faultOfVariable), ...missing.map(faultOfMissing), ...unused.map(faultOfUnused))
  const once = [...new Map(found.map((fault) => [fault.sentence, fault])).values()]
  return {
    faults: once.map(({ sentence }) => sentence),
    faultCodes: once.map(({ sentence: _, ...code }) => code),
  }
}

function faultOfOutcome({ path, count, code, why, provider }: Outcome, { paused }: ProviderSetup): Fault[] {
  if (path === 'ended') {
    const sentence = `Not sent to ${installations(count)}: ${why}.`
    return [{ code: 'not-sent', count, why: code, ...(provider && { provider }), sentence }]
  }
  const detail = paused.get(path)
  if (detail === undefined || path === 'connection' || path === 'inbox') return []
  const sentence = `${path} is paused, with ${installations(count)} waiting: ${detail}`
  return [{ code: 'paused', count, provider: path, detail, sentence }]
}

function faultOfSample({ provider, platform, language, variant, fault, bytes = 0, allowed }: Sample): Fault[] {
  if (fault === undefined) return []
  const target = {
    provider,
    platform,
    ...(language !== undefined && { language }),
    ...(variant !== undefined && { variant }),
  }
  const text = `${variant === undefined ? '' : ` of variant ${variant}`}${language === undefined ? '' : ` in ${language}`}`
  const sentence = `A sample${text} for ${provider} on ${platform} would be refused: ${fault}.`
  return bytes > allowed
    ? [{ code: 'too-large', ...target, bytes, allowed, sentence }]
    : [{ code: 'refused', ...target, detail: fault, sentence }]
}

function faultOfVariable(unknown: UnknownVariable): Fault {
  const { variable, suggestion } = unknown
  const hint = suggestion === undefined ? '' : ` Did you mean {{ ${suggestion} }}?`
  return {
    code: 'unknown-variable',
    ...unknown,
    sentence: `No user has what {{ ${variable} }} asks for: its place stays empty.${hint}`,
  }
}

function faultOfMissing({ variable, count }: MissingValue): Fault {
  const sentence = `{{ ${variable} }} stays empty on ${installations(count)}: it has no fallback, such as {{ ${variable} | default: "friend" }}.`
  return { code: 'no-fallback', variable, count, sentence }
}

function faultOfUnused(name: string): Fault {
  return { code: 'unused-value', variable: `values.${name}`, sentence: `No text asks for {{ values.${name} }}.` }
}

function faultsOfSms(
  { users: all, withPhone }: NonNullable<DryRun['sms']>,
  { hasSms, paused }: ProviderSetup,
): Fault[] {
  const found: Fault[] = []
  const detail = paused.get('sms')
  if (!hasSms) {
    found.push({ code: 'no-sms-gateway', sentence: 'The app has no SMS gateway: no substitute SMS is sent.' })
  } else if (detail !== undefined) found.push({ code: 'sms-paused', detail, sentence: `SMS is paused: ${detail}` })
  if (withPhone < all) {
    const count = all - withPhone
    const sentence = `No substitute SMS for ${users(count)}: no phone number is known.`
    found.push({ code: 'no-phone', count, sentence })
  }
  return found
}

const installations = (count: number) => (count === 1 ? '1 installation' : `${count} installations`)
const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)
