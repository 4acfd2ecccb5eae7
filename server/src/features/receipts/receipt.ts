import type { DeliveryState } from '@peyk/contract'

/** What a device says of a message. The words are the delivery's states. */
export const receiptKinds = [
  'delivered',
  'shown',
  'opened',
  'acted',
  'dismissed',
] as const satisfies readonly DeliveryState[]
export type ReceiptKind = (typeof receiptKinds)[number]

export interface Receipt {
  messageId: string
  kind: ReceiptKind
  /** Which button, for `acted`; else empty. */
  actionId: string
  happenedAt: Date
}
