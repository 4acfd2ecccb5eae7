import type { DeliveryState } from '@peyk/contract'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import type { DeliveryGroup } from '../progress/count-deliveries.ts'

interface Recalled {
  product: Product
  body: Pick<MessageContent, 'silent'>
}

const onTheScreen: readonly DeliveryState[] = ['sent', 'delivered', 'shown']
const touched: readonly DeliveryState[] = ['opened', 'acted', 'dismissed']

/**
 * In which states of its delivery there may be something of a message on a device: a notification is on the screen until
 * it is touched, a message stays in what the app keeps.
 */
export function clearableStates({ product, body }: Recalled): readonly DeliveryState[] {
  if (product === 'message') return [...onTheScreen, ...touched]
  return body.silent ? [] : onTheScreen
}

/** Where no answer came, it may have arrived. */
export function countClearable(message: Recalled, rows: readonly DeliveryGroup[]): number {
  const states = clearableStates(message)
  const isOn = ({ state, reason }: DeliveryGroup) =>
    states.includes(state) || (states.length > 0 && reason === 'unknown')
  return rows.filter(isOn).reduce((sum, { count }) => sum + count, 0)
}
