import type { IPublishPacket } from 'mqtt-packet'
import { RequestError } from '#base/errors.ts'
import type { Span } from '#base/trace/span.ts'
import { isTracing, runAsSpan, startApart } from '#base/trace/tracing.ts'
import type { Client, ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { type PublishAnswer, publishAnswers } from '../reasons.ts'
import { readPublication } from '../topics.ts'

/**
 * A client's PUBLISH is acknowledged when what it asked for is committed. What is not stored but passed on holds up the
 * packets after it, so that it comes no faster than it goes out.
 */
export function receivePublish(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IPublishPacket,
): Promise<void> | void {
  const { client } = connection
  if (!client) return
  if (packet.qos === 2) return void connection.close('qos-not-supported')
  const publication = readPublication(services, connection, client, packet.topic, packet.payload as Buffer)
  if (!publication) return void connection.close('topic-refused')
  const span = isTracing() ? startPublish(client, packet) : undefined
  const publishing = span ? runAsSpan(span, () => publication.publish()) : publication.publish()
  const published = publishing.catch((error) => answerOf(error))
  connection.acknowledgeAfter(
    published.then((answer) => () => {
      if (answer !== 'accepted') {
        const fields = { app: client.ctx.app.label, installation: client.installationId }
        services.log.info({ ...fields, answer }, `a client's message to ${packet.topic.slice(0, 200)} was not taken`)
      }
      if (packet.qos === 1) acknowledge(connection, packet.messageId as number, answer)
    }),
    packet.length ?? 0,
  )
  if (publication.holdsUp) return published.then(ignore, ignore)
}

/** Of the topic only what kind it is: the rest has names of users. */
function startPublish({ ctx }: Client, { topic, qos }: IPublishPacket): Span | undefined {
  const attributes = { 'peyk.app_id': ctx.app.label, 'peyk.topic': topic.split('/')[2], 'peyk.qos': qos }
  return startApart('mqtt publish', { kind: 'server', attributes })
}

/** What fails closes the connection where it is acknowledged. */
function ignore(): void {}

/** The client's own fault is answered; ours is not, so that the client sends it again. */
function answerOf(error: unknown): PublishAnswer {
  if (error instanceof RequestError && error.status < 500) {
    return error.status === 403 ? 'not-authorised' : 'unreadable'
  }
  throw error
}

function acknowledge(connection: ClientConnection, messageId: number, answer: PublishAnswer): void {
  if (connection.version === 4) connection.send({ cmd: 'puback', messageId })
  else connection.send({ cmd: 'puback', messageId, reasonCode: publishAnswers[answer] })
}
