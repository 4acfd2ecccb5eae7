import type { Crowd } from '../crowd/crowd.ts'
import { type CrowdView, crowdLimits } from '../crowd/crowd-state.ts'
import { numberUpTo, wholeNumber } from './check-input.ts'
import { ControlError } from './control-error.ts'
import { describe, isObject, type JsonObject } from './read-json.ts'

/** Answers the crowd as it is then; those who are to come or go do so one after the other. */
export function setCrowd(crowd: Crowd, body: JsonObject): CrowdView {
  const { size, pace } = body
  return crowd.set({
    ...(size !== undefined && { size: readSize(body) }),
    ...(pace !== undefined && { pace: numberUpTo(body, 'pace', crowdLimits.pace) }),
  })
}

/** Only a service that asks for a crowd has one. */
export function readCrowdOfService(sent: unknown): { size?: number } {
  if (!isObject(sent)) throw new ControlError(400, `crowd: expected an object, got ${describe(sent)}.`)
  return sent.size === undefined ? {} : { size: readSize(sent) }
}

function readSize(body: JsonObject): number {
  return wholeNumber(body, 'size', 0, crowdLimits.size)
}
