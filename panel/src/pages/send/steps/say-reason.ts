import type { DryRun } from '@peyk/contract'
import type { FaultValues } from '#texts/en/send/send-reasons.ts'
import type { Texts } from '#texts/en.ts'
import type { Format } from '#texts/format.ts'

type Outcome = DryRun['outcomes'][number]
type FaultCode = DryRun['faultCodes'][number]
type Words = Texts['send']['plan']['reasons']

/** Why devices go this way or none; the service's own sentence where its code is not known here. */
export function sayWhy({ path, code, provider, why }: Outcome, words: Words): string {
  const known = wordsOf(words.why, code)
  if (known === undefined) return why.charAt(0).toUpperCase() + why.slice(1)
  const said = known(nameOf(provider, words))
  return path === 'inbox' ? words.waits(said) : said
}

export interface SaidFault {
  text: string
  /** Words of somebody else, in their own language. */
  detail?: string
}

export function sayFault(fault: FaultCode | undefined, sentence: string, words: Words, format: Format): SaidFault {
  const known = wordsOf(words.faults, fault?.code)
  const why = fault?.why === undefined ? undefined : wordsOf(words.why, fault.why)
  if (fault === undefined || known === undefined || (fault.why !== undefined && why === undefined)) {
    return { text: '', detail: sentence }
  }
  const { count = 0, bytes = 0, allowed = 0, variable = '', suggestion, detail } = fault
  const provider = nameOf(fault.provider, words)
  const values: FaultValues = {
    count,
    shown: format.number(count),
    provider,
    why: why?.(provider) ?? '',
    bytes: format.number(bytes),
    allowed: format.number(allowed),
    variable: apart(variable),
    suggestion: suggestion && apart(suggestion),
  }
  return { text: known(values), ...(detail !== undefined && { detail }) }
}

/** Latin letters keep their direction within a sentence of the other, and stay in one line. */
function apart(variable: string): string {
  return `\u2066{{\u00a0${variable}\u00a0}}\u2069`
}

/** A newer service may have codes that this panel has no words for. */
function wordsOf<Code extends string, Words>(all: Record<Code, Words>, code: Code | undefined): Words | undefined {
  return code !== undefined && Object.hasOwn(all, code) ? all[code] : undefined
}

function nameOf(provider: Outcome['provider'], words: Words): string {
  return provider === undefined ? '' : (wordsOf(words.providers, provider) ?? provider)
}
