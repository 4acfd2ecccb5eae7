import { applyFault, planFault } from './apply-fault.ts'
import type { FaultList } from './fault-list.ts'
import type { Exchange } from './http/request.ts'
import type { Provider } from './provider.ts'
import type { PushRecord } from './record.ts'

export interface World {
  faults: FaultList
  record: PushRecord
  now: () => number
}

/** Reads a request, writes it down, and only then answers it: as the provider would, or as a rule asks. */
export function serveProvider(provider: Provider, { faults, record, now }: World): (exchange: Exchange) => void {
  return (exchange) => {
    const reading = provider.read(exchange)
    if (reading.kind === 'other') {
      const target = reading.faultTarget
      const rule = target && faults.find(target)
      if (!rule) return exchange.respond(reading.answer)
      const plan = planFault(rule, reading.answer, false, () => provider.answerFault(rule, exchange))
      return applyFault(exchange, rule, plan, (delayMs, run) => faults.delay(target, delayMs, run))
    }
    const rule = faults.find(provider.name, reading.token, reading.tokenId)
    if (rule === undefined) {
      const { status, reason } = reading.answer
      const answer = { status, reason, fault: undefined }
      record.add(provider.name, reading, exchange, now(), { answer, isTaken: reading.isAccepted })
      exchange.respond(reading.answer)
      return
    }
    const plan = planFault(rule, reading.answer, reading.isAccepted, () => provider.answerFault(rule, exchange))
    const { status = null, reason } = plan.answer ?? {}
    record.add(provider.name, reading, exchange, now(), {
      answer: { status, reason, fault: rule.then },
      isTaken: plan.isTaken,
    })
    applyFault(exchange, rule, plan, (delayMs, run) => faults.delay(provider.name, delayMs, run))
  }
}
