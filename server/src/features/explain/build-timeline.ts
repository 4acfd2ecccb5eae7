import type { DeliveryReason, DeliveryState, TimelineEntry } from '@peyk/contract'
import { explainLanguage } from './explain-language.ts'
import { explainMatch, isToBeExpanded } from './explain-match.ts'
import { explainAttempts, explainPath, explainStanding } from './explain-path.ts'
import { explainVariant } from './explain-variant.ts'
import { entry, type InstallationFacts, type MessageFacts } from './facts.ts'

export interface InstallationTimeline {
  installationId: string
  deviceType: string
  /** Absent when there is no delivery to it. */
  state?: DeliveryState
  reason?: DeliveryReason
  story: TimelineEntry[]
}

/** What happened to a message on one installation, in order. */
export function buildTimeline(message: MessageFacts, installation: InstallationFacts): InstallationTimeline {
  const match = explainMatch(message, installation)
  const standing = standingOf(message, installation, match)
  const isOut = match.kind === 'not-matched'
  const language = isOut ? undefined : explainLanguage(message, installation)
  const variant = isOut ? undefined : explainVariant(message, installation)
  const path = isOut || standing.reason === 'cancelled' ? undefined : explainPath(message, installation)
  return {
    installationId: installation.id,
    deviceType: installation.deviceType,
    ...standing,
    story: [
      entry(
        'accepted',
        { code: 'accepted', product: message.row.product, count: message.row.recipients },
        message.row.accepted_at,
      ),
      match,
      ...(variant ? [variant] : []),
      ...(language ? [language] : []),
      ...(path ? [path] : []),
      ...explainAttempts(installation),
      ...installation.receipts.map(({ kind, actionId, happenedAt }) =>
        entry(
          'receipt',
          { code: 'receipt', receipt: kind, ...(kind === 'acted' && actionId && { actionId }) },
          happenedAt,
        ),
      ),
      ...(isOut && !installation.delivery ? [] : explainStanding(message, installation)),
      ...(installation.uninstalledAt && !isOut
        ? [entry('uninstalled', { code: 'uninstalled' }, installation.uninstalledAt)]
        : []),
    ],
  }
}

function standingOf(
  message: MessageFacts,
  installation: InstallationFacts,
  match: TimelineEntry,
): { state?: DeliveryState; reason?: DeliveryReason } {
  const { delivery, batch } = installation
  if (delivery) return { state: delivery.state, ...(delivery.reason && { reason: delivery.reason }) }
  if (batch?.state === 'cancelled') return { state: 'ended', reason: 'cancelled' }
  if (batch || (match.kind === 'matched' && isToBeExpanded(message, installation))) return { state: 'queued' }
  return {}
}
