import { attributes, incrementAttribute, userInfo } from './attributes.ts'
import { clientEvents, track, trackBulk, trackPurchase, trackRevenue } from './events.ts'
import {
  getInstallation,
  installationById,
  installationsOfUser,
  listInstallations,
  registerInstallation,
  uninstallReport,
  unregisterInstallation,
  updateDeviceToken,
  updateInstallation,
} from './installations.ts'
import { byQuery, notifyToUsers, notifyUser, notifyUsers, toUsers } from './messages.ts'
import { updateGlobalPromoCodes, updatePromoCodes } from './promo.ts'
import type { AnyEndpoint } from './schema/endpoint.ts'
import {
  addTag,
  addTags,
  addValueTag,
  channels,
  removeTag,
  removeTags,
  removeValueTag,
  tags,
  tagsOfUser,
} from './tags.ts'

/** `refuse`: 400 `unknown-field`. `report`: removed, and named in the response. `drop`: removed. */
export type UnknownNamePolicy = 'refuse' | 'report' | 'drop'

/** Endpoints that existing back ends already call: an unknown name must not make them fail. */
const reporting: ReadonlySet<AnyEndpoint> = new Set<AnyEndpoint>([
  // Sections 4.1 to 4.10 of the specification.
  ...[toUsers, notifyUsers, byQuery],
  ...[addTag, addTags, addValueTag, removeTag, removeTags, removeValueTag],
  ...[track, trackPurchase, trackRevenue, attributes],
  ...[updatePromoCodes, updateGlobalPromoCodes],
  // Variants of these that the same back ends call.
  ...[notifyToUsers, trackBulk, uninstallReport],
])

/** The client protocol: existing client libraries speak it, and installed apps cannot be changed. */
const dropping: ReadonlySet<AnyEndpoint> = new Set<AnyEndpoint>([
  ...[registerInstallation, updateInstallation, getInstallation, unregisterInstallation, listInstallations],
  ...[updateDeviceToken, tagsOfUser, userInfo, incrementAttribute, clientEvents],
  // Its endpoints for back ends.
  ...[installationById, installationsOfUser, tags, channels, notifyUser],
])

/** Decides what happens to a body or query name that the contract of an API endpoint does not know. */
export function unknownNamePolicy(endpoint: AnyEndpoint): UnknownNamePolicy {
  if (reporting.has(endpoint)) return 'report'
  return dropping.has(endpoint) ? 'drop' : 'refuse'
}
