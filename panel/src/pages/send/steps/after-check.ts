import type { SendPlan } from '@peyk/contract'
import { findServed } from './served-users.ts'

/** What follows a check of a message that is to be sent: the question, or the result, to be read first. */
export function afterCheck(
  { dryRun, unknown, unreached }: SendPlan,
  warnings: number,
  isTrying: boolean,
): 'wait' | 'read' | 'confirm' {
  const hasMissing = (unknown?.count ?? 0) + (unreached?.count ?? 0) > 0 || findServed(dryRun) !== undefined
  if (warnings > 0 || hasMissing || dryRun.count === 0) return 'read'
  return isTrying ? 'wait' : 'confirm'
}
