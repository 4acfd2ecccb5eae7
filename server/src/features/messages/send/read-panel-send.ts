import type { AnyNotification, ComposedMessage } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { checkAbility } from '../../accounts/members/abilities.ts'
import { bindValues } from '../values/bind-values.ts'
import { checkPanelMessage } from './check-panel-message.ts'
import { allKeys, groupKeys, readReceiverKey, readUsers } from './read-receivers.ts'

const personalUsers = 10

interface PanelRequest {
  product: ComposedMessage['product']
  sent: AnyNotification
  isGroup: boolean
  /** Undefined for a group, and for everybody. */
  userIds: string[] | undefined
}

/** What a member wants to send; refused when the member may not. */
export function readPanelSend(ctx: Context, composed: ComposedMessage): PanelRequest {
  checkPanelMessage(composed)
  const { product, ...sent } = bindValues(composed)
  const isGroup = groupKeys.includes(readReceiverKey(sent, allKeys))
  const userIds = isGroup ? undefined : readUsers(sent)
  if (userIds === undefined || userIds.length > personalUsers) checkAbility(ctx, 'send-to-many')
  return { product, sent, isGroup, userIds }
}
