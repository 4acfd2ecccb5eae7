import { limits } from '#base/config.ts'
import { isUuid } from '#base/ids.ts'
import { readClientTime } from '../events/track/read-client-time.ts'
import type { Receipt, ReceiptKind } from './receipt.ts'

const kinds: Record<string, ReceiptKind> = {
  DELIVERED: 'delivered',
  SHOWN: 'shown',
  OPENED: 'opened',
  ACTION_TAKEN: 'acted',
  DISMISSED: 'dismissed',
}

/** `{actionType, msgId, actionTs, actionId?}` as client libraries send it; undefined when there is no receipt in it. */
export function readReceipt(sent: Record<string, unknown>, now: Date): Receipt | undefined {
  const { actionType, msgId, actionTs, actionId } = sent
  const kind = typeof actionType === 'string' ? kinds[actionType.toUpperCase()] : undefined
  if (!kind || !isUuid(msgId)) return undefined
  return {
    messageId: msgId.toLowerCase(),
    kind,
    actionId: kind === 'acted' ? readActionId(actionId) : '',
    happenedAt: new Date(readClientTime(actionTs, Number(now)) ?? Number(now)),
  }
}

function readActionId(sent: unknown): string {
  const text = typeof sent === 'number' ? String(sent) : sent
  return typeof text === 'string' && Buffer.byteLength(text) <= limits.nameBytes ? text : ''
}
