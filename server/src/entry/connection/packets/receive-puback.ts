import type { IPubackPacket } from 'mqtt-packet'
import type { Span } from '#base/trace/span.ts'
import { isTracing, runAsSpan } from '#base/trace/tracing.ts'
import { refuseMessages } from '#features/deliveries/inbox/refuse-messages.ts'
import { recordCleared } from '#features/deliveries/recall/record-cleared.ts'
import { startMessageSpan } from '#features/messages/message-traces.ts'
import { acknowledgeMessage } from '#features/receipts/acknowledge-message.ts'
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
  const { inFlightWindow } = client
  const reason = packet.reasonCode ?? 0
  const stored = isTracing()
    ? runAsSpan(startPuback(client, messageId, reason), () => storeAnswer(client, messageId, reason))
    : storeAnswer(client, messageId, reason)
  stored.then(
    () => {
      if (reason < firstFailure) services.metrics.acknowledged.inc()
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

function storeAnswer(client: Client, messageId: string, reason: number): Promise<unknown> {
  const { inFlightWindow, ctx, installationId, installationNo, deviceType } = client
  if (reason >= firstFailure) {
    const refused = `the client answered with the reason 0x${reason.toString(16)}`
    return inFlightWindow.endDirect(messageId, { refused }) ?? refuse(client, messageId, refused)
  }
  const acknowledged = { installationId, installationNo, messageId, deviceType }
  return inFlightWindow.endDirect(messageId, 'acknowledged') ?? acknowledgeMessage(ctx, acknowledged)
}

function startPuback({ ctx }: Client, messageId: string, reason: number): Span | undefined {
  const attributes = { 'peyk.app_id': ctx.app.label, 'peyk.reason_code': reason }
  return startMessageSpan('mqtt puback', messageId, { kind: 'server', attributes })
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
