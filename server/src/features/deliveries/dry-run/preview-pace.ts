import type { Draft } from '../../messages/accept/draft-message.ts'

export interface PreviewedPace {
  /** From the first installation to the last. */
  takesSeconds: number
  /** Installations whose turn comes when the message has expired. */
  late: number
}

/** How long a message with a throttle takes to go to so many installations. */
export function previewPace(
  { body: { throttle }, acceptedAt, expiresAt }: Pick<Draft, 'body' | 'acceptedAt' | 'expiresAt'>,
  count: number,
): PreviewedPace | undefined {
  if (!throttle) return undefined
  const perSecond = throttle.perMinute / 60
  const inTime = Math.ceil(((expiresAt.getTime() - acceptedAt.getTime()) / 1_000) * perSecond)
  return { takesSeconds: Math.ceil(Math.max(0, count - 1) / perSecond), late: Math.max(0, count - inTime) }
}
