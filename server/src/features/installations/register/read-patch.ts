import { type BodyOf, readDeviceType, type registerInstallation, type updateInstallation } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { readMoment } from '#base/read-moment.ts'
import { readSubscriptions } from '../channels/channel.ts'
import { readDeviceToken } from '../device-tokens/device-token.ts'
import type { InstallationPatch } from '../installation.ts'

export type InstallationBody = BodyOf<typeof updateInstallation> | BodyOf<typeof registerInstallation>

/** What stands in columns of its own, what only we may say, and what must not be kept: no part of the details. */
const notDetails = new Set([
  'id',
  'appId',
  'userId',
  'isGuest',
  'isLoggedIn',
  'userHash',
  'deviceToken',
  'tokenStatus',
  'deviceType',
  'clientVersion',
  'osVersion',
  'language',
  'timeZone',
  'subscriptions',
  'launchCount',
  'launchTime',
  'installDate',
  'created',
  'loginTime',
  'uninstalled',
  'uninstalledAt',
  'userInfo',
  'tags',
  'tagValues',
  'connected',
  'idempotencyKey',
  'access_token',
])

/** A body as what it says of an installation. Everything that is not known here is kept as it is. */
export function readPatch(body: InstallationBody): InstallationPatch {
  if (body.subscriptions && body.subscriptions.length > limits.channelsPerInstallation) {
    throw new RequestError(
      'too-large',
      `"subscriptions" has ${body.subscriptions.length} channels; at most ${limits.channelsPerInstallation} are allowed.`,
    )
  }
  return {
    userId: body.userId || undefined,
    isGuest: body.isGuest,
    deviceToken: readDeviceToken(body.deviceToken),
    tokenStatus: body.tokenStatus,
    deviceType: body.deviceType === undefined ? undefined : readDeviceType(body.deviceType),
    clientVersion: body.clientVersion?.toString(),
    osVersion: body.osVersion?.toString(),
    language: body.language,
    timeZone: body.timeZone,
    subscriptions: body.subscriptions && readSubscriptions(body.subscriptions),
    launchCount: body.launchCount,
    launchedAt: readMoment('launchTime', body.launchTime),
    installedAt: readMoment('installDate', body.installDate),
    details: Object.fromEntries(Object.entries(body).filter(([name]) => !notDetails.has(name))),
  }
}
