import type { IPubackPacket } from 'mqtt-packet'
import { refuseMessages } from '../../../features/deliveries/inbox/refuse-messages.ts'
import { recordCleared } from '../../../features/deliveries/recall/record-cleared.ts'
import { acknowledgeMessage } from '../../../features/receipts/acknowledge-message.ts'
import type { Client, ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'

/** [MQTT 5, 3.4.2.1] From here on the reason says that the message was not taken, and it is not sent again. */
const firstFailure = 0x80

/**
 * The device has the message, or says that it does not take it: it is delivered, or has ended, once that is committed.
 * One that was not asked for says nothing.
 */
export function receivePuback(services: ConnectionServices, connection: ClientConnection, packet: IPubackPacket): void {
  const { client } = connection
  if (!client) return
  const packetId = packet.messageId as number
  const cleared = client.inFlightWindow.acknowledgeClear(packetId)
  if (cleared !== undefined) return void receiveCleared(services, connection, client, cleared)
  const messageId = client.inFlightWindow.acknowledge(packetId)
  if (messageId === undefined) return
  const { inFlightWindow, ctx, installationId, installationNo, deviceType } = client
  const reason = packet.reasonCode ?? 0
  const isTaken = reason < firstFailure
  const refused = `the client answered with the reason 0x${reason.toString(16)}`
  const store = () =>
    isTaken
      ? acknowledgeMessage(ctx, { installationId, installationNo, messageId, deviceType })
      : refuse(client, messageId, refused)
  const stored = inFlightWindow.endDirect(messageId, isTaken ? 'acknowledged' : { refused }) ?? store()
  stored.then(
    () => {
      if (isTaken) services.metrics.acknowledged.inc()
      inFlightWindow.release(messageId)
      if (inFlightWindow.mayHaveMore && inFlightWindow.room * 2 >= inFlightWindow.window)
        services.inboxSender.wake(connection)
    },
    (error) => {
      services.log.warn({ err: error }, 'an acknowledgement could not be stored; the message comes again')
      inFlightWindow.putBack(messageId)
    },
  )
}

/** The client was told that the message was recalled. */
function receiveCleared(
  { log, inboxSender }: ConnectionServices,
  connection: ClientConnection,
  { ctx, inFlightWindow, installationNo }: Client,
  messageId: string,
): void {
  recordCleared(ctx, { messageId, installationNo })
    .catch((error) => log.warn({ err: error }, 'that a client was told of a recall was not stored; it is told again'))
    .finally(() => {
      inFlightWindow.releaseClear(messageId)
      if (inFlightWindow.mayHaveMore) inboxSender.wake(connection)
    })
}

function refuse({ ctx, installationNo }: Client, messageId: string, detail: string): Promise<void> {
  return refuseMessages(ctx, [{ app_id: ctx.app.id, message_id: messageId, installation_no: installationNo, detail }])
}
