import type { DirectDelivery } from '#features/deliveries/direct/direct-delivery.ts'
import type { Fresh } from '#features/deliveries/inbox/inbox-notifier.ts'
import type { FreshInput } from '#features/deliveries/inbox/read-fresh.ts'
import type { Client, ClientConnection } from '../client-connection.ts'

/** A message that has just come into the inbox of a connected client, or, where it is direct, is to go there only if it must. */
export interface InboxArrival {
  connection: ClientConnection & { client: Client }
  fresh: Fresh
  direct?: DirectDelivery
}

interface Group {
  appId: number
  messageId: string
  installationNos: number[]
  userNos: number[]
  withouts: string[][]
}

export function groupByMessage(arrivals: readonly InboxArrival[]): FreshInput[] {
  const groups = new Map<string, Group>()
  const arrived = Map.groupBy(arrivals, ({ connection }) => connection)
  for (const { connection, fresh } of arrivals) {
    const { messageId, userNo } = fresh
    const { ctx, installationNo, inFlightWindow } = connection.client
    const group: Group = groups.get(messageId) ?? {
      appId: ctx.app.id,
      messageId,
      installationNos: [],
      userNos: [],
      withouts: [],
    }
    if (group.installationNos.length === 0) groups.set(messageId, group)
    group.installationNos.push(installationNo)
    group.userNos.push(userNo)
    // What is arrived together is sent together, the oldest first.
    group.withouts.push([
      ...inFlightWindow.without,
      ...(arrived.get(connection) ?? []).map((each) => each.fresh.messageId),
    ])
  }
  return [...groups.values()]
}

/** Ids are ordered by the time they were given. */
export function byAge({ fresh: left }: InboxArrival, { fresh: right }: InboxArrival): number {
  return left.messageId < right.messageId ? -1 : Number(left.messageId > right.messageId)
}
