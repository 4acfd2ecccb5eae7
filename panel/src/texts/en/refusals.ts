import { sayTemplateFault } from '../say-template-fault.ts'
import { templateFaultsEn } from './send/template-faults.ts'

/** What the service says when it refuses: its code, and what it tells of the case. */
export interface Refusal {
  code: string
  details: Record<string, unknown> | undefined
}

export interface SaidRefusal {
  text: string
  /** Nothing is left that the service's own sentence would add. */
  isWhole: boolean
  /** Words of somebody else that belong to it, in English. */
  quote?: string
}

/** In place of the service's own sentence, where it is about what somebody types at the moment. */
export function sayRefusalEn({ code, details }: Refusal): SaidRefusal | undefined {
  const text = code === 'invalid-template' ? sayTemplateFault(details?.reason, templateFaultsEn) : undefined
  return text === undefined ? undefined : { text, isWhole: true }
}
