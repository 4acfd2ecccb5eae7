import type { IPubackPacket } from 'mqtt-packet'
import { acknowledgeMessage } from '../../features/receipts/acknowledge-message.ts'
import type { Connection } from './connection.ts'

/** The device has the message: it is delivered once that is committed. One that was not asked for says nothing. */
export function receivePuback(connection: Connection, packet: IPubackPacket): void {
  const { client, door } = connection
  const messageId = client?.mailbox.acknowledge(packet.messageId as number)
  if (!client || messageId === undefined) return
  const { mailbox, ctx, installationId, installationNo } = client
  acknowledgeMessage(ctx, { installationId, installationNo, messageId }).then(
    () => {
      door.metrics.acknowledged.inc()
      mailbox.release(messageId)
      if (mailbox.mayHaveMore && mailbox.room * 2 >= mailbox.window) door.postman.wake(connection)
    },
    (error) => {
      door.log.warn({ err: error }, 'an acknowledgement could not be stored; the message comes again')
      mailbox.putBack(messageId)
    },
  )
}
