import type { ActionType, Receipt } from '../receipt.ts'
import type { Marks } from './draw-notification.ts'

export type OpenKind = 'opened' | 'action-taken' | 'dismissed'

/** What the open hook is told. */
export interface OpenedNotification {
  kind: OpenKind
  messageId: string
  trackId?: string
  /** Of the action that was taken. */
  actionId?: string
  /** Where the library goes unless the hook returns false. */
  url?: string
  data?: Record<string, unknown>
}

const actionTypes: Record<OpenKind, ActionType> = {
  opened: 'OPENED',
  'action-taken': 'ACTION_TAKEN',
  dismissed: 'DISMISSED',
}

/** Undefined for a notification that is not ours. */
export function readOpening(
  notification: { data?: unknown },
  kind: 'click' | 'close',
  actionId: string,
): OpenedNotification | undefined {
  const { peyk: marks, ...data } = (notification.data ?? {}) as { peyk?: Marks } & Record<string, unknown>
  if (typeof marks?.messageId !== 'string') return undefined
  const opened: OpenedNotification = {
    kind: kind === 'close' ? 'dismissed' : actionId === '' ? 'opened' : 'action-taken',
    messageId: marks.messageId,
  }
  if (marks.trackId !== undefined) opened.trackId = marks.trackId
  if (opened.kind === 'action-taken') opened.actionId = actionId
  const url = opened.kind === 'action-taken' ? marks.actionUrls[actionId] : marks.clickUrl
  if (opened.kind !== 'dismissed' && url !== undefined) opened.url = url
  if (Object.keys(data).length > 0) opened.data = data
  return opened
}

export function receiptOf({ kind, messageId, trackId, actionId }: OpenedNotification, now: number): Receipt {
  return {
    actionType: actionTypes[kind],
    msgId: messageId,
    ...(trackId !== undefined && { trackId }),
    actionTs: now,
    ...(actionId !== undefined && { actionId }),
  }
}

/** Only pages are opened: whatever else an address may do (javascript:, an app's own scheme) is none of ours. */
export function pageAddress(url: string | undefined, base: string): string | undefined {
  if (url === undefined || !URL.canParse(url, base)) return undefined
  const { protocol, href } = new URL(url, base)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
