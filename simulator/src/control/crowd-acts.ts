import type { Crowd } from '../crowd/crowd.ts'
import { type CrowdView, crowdLimits } from '../crowd/crowd-state.ts'
import type { KnownDevice, Service } from '../phones/call-service.ts'
import { platforms } from '../phones/platform.ts'
import { numberUpTo, oneOf, optionalText, text, userId, wholeNumber } from './check-input.ts'
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
export function readCrowdOfService(sent: unknown): NonNullable<Service['crowd']> {
  if (!isObject(sent)) throw new ControlError(400, `crowd: expected an object, got ${describe(sent)}.`)
  const { size, devices } = sent
  return {
    ...(size !== undefined && { size: readSize(sent) }),
    ...(devices !== undefined && { devices: readDevices(devices) }),
  }
}

function readDevices(sent: unknown): KnownDevice[] {
  if (!Array.isArray(sent) || !sent.every(isObject)) {
    throw new ControlError(400, `devices: expected an array of objects, got ${describe(sent)}.`)
  }
  return sent.map((device) => ({
    installationId: text(device, 'installationId'),
    userId: userId(device),
    isGuest: device.isGuest === true,
    platform: oneOf(device, 'platform', platforms),
    deviceToken: text(device, 'deviceToken', { maxLength: 4_000 }),
    vapidKey: optionalText(device, 'vapidKey') ?? null,
    timeZone: text(device, 'timeZone'),
    launchCount: wholeNumber(device, 'launchCount', 0, Number.MAX_SAFE_INTEGER),
  }))
}

function readSize(body: JsonObject): number {
  return wholeNumber(body, 'size', 0, crowdLimits.size)
}
