import { trackClientEvents } from '#features/events/track/track-client-events.ts'
import { changeForeground } from '#features/installations/connections/change-foreground.ts'
import { isAlias } from '#features/installations/installation-alias.ts'
import { sendFromUser } from '#features/messages/send/send-from-user.ts'
import type { Client, ClientConnection } from './client-connection.ts'
import type { ConnectionServices } from './connection-services.ts'
import { passOn } from './events/pass-on.ts'
import { readJson, readText } from './packets/read-payload.ts'
import type { PublishAnswer } from './reasons.ts'

/** What a client may subscribe to: a channel as an installation's list has it, or the events of one or of all. */
export type SubscribedTopic = { kind: 'always' } | { kind: 'channel'; name: string } | { kind: 'event'; key: string }

/** [client-protocol.md#subscribing] Undefined for everything that a client may not subscribe to. */
export function readSubscription(topic: string, appLabel: string, client: Client): SubscribedTopic | undefined {
  const [app, label, kind, owner, ...rest] = topic.split('/')
  if (app !== 'app' || label !== appLabel || owner === undefined || topic.includes('#') || topic.includes('\0')) return
  const name = rest.join('/')
  if (kind === 'event') return readEventSubscription([owner, ...rest], client)
  if (kind !== 'user' || name === '' || topic.includes('+') || Buffer.byteLength(name) > maxNameBytes) return
  if (owner === 'public') return name === 'default' ? { kind: 'always' } : { kind: 'channel', name: `public/${name}` }
  if (owner !== client.userId) return
  return name === 'default' || name.toLowerCase() === client.installationId
    ? { kind: 'always' }
    : { kind: 'channel', name }
}

const maxNameBytes = 255

function readEventSubscription(parts: string[], { installationId }: Client): SubscribedTopic | undefined {
  const from = parts.pop()?.toLowerCase()
  const name = parts.join('/')
  if (name === '' || name.includes('+') || Buffer.byteLength(name) > maxNameBytes) return undefined
  const isKnown = from === '+' || from === installationId || (from !== undefined && isAlias(from))
  return isKnown ? { kind: 'event', key: `${name}/${from}` } : undefined
}

interface Publication {
  services: ConnectionServices
  connection: ClientConnection
  client: Client
  /** What comes before the last part of the topic: a name, or a user. */
  name: string
  /** The last part. */
  last: string
  payload: Buffer
}

type Publish = (publication: Publication) => Promise<PublishAnswer>

/**
 * What a client may publish: `app/{appId}/{kind}/{name}/{last}`. Everything else closes the connection. What `holdsUp`
 * is done with before the client's next packet is taken.
 */
const publishTopics: Record<string, { isOwn: boolean; hasName: boolean; holdsUp?: true; publish: Publish }> = {
  track: { isOwn: true, hasName: true, publish: track },
  event: { isOwn: true, hasName: true, holdsUp: true, publish: passOn },
  publish: { isOwn: false, hasName: true, publish: sendMessage },
  state: { isOwn: true, hasName: false, publish: changeState },
}

/** Undefined when a client may not publish there. */
export function readPublication(
  services: ConnectionServices,
  connection: ClientConnection,
  client: Client,
  topic: string,
  payload: Buffer,
): { publish: () => Promise<PublishAnswer>; holdsUp: boolean } | undefined {
  const [app, label, kind = '', ...rest] = topic.split('/')
  const to = Object.hasOwn(publishTopics, kind) ? publishTopics[kind] : undefined
  if (!to || app !== 'app' || label !== client.ctx.app.label || /[+#\0]/.test(topic)) return undefined
  // A message's channel may hold slashes, an event's name too: the user and the installation id cannot.
  const [name, last] =
    kind === 'publish' ? [rest[0], rest.slice(1).join('/')] : [rest.slice(0, -1).join('/'), rest.at(-1)]
  if (!last || (name === '' || name === undefined) === to.hasName) return undefined
  if (to.isOwn && last.toLowerCase() !== client.installationId) return undefined
  const publish = () => to.publish({ services, connection, client, name: name ?? '', last, payload })
  return { publish, holdsUp: to.holdsUp ?? false }
}

async function track({ client, name, payload }: Publication): Promise<PublishAnswer> {
  const sent = readJson(payload)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return 'unreadable'
  const events = [{ ...sent, eventName: name }]
  const { count } = await trackClientEvents(client.ctx, { installationId: client.installationId, events })
  return count > 0 ? 'accepted' : 'unreadable'
}

async function sendMessage({ client, name, last, payload }: Publication): Promise<PublishAnswer> {
  const { ctx, installationId, userId } = client
  const answer = await sendFromUser(ctx, {
    from: { installationId, userId },
    to: name,
    channel: last,
    sent: readJson(payload),
  })
  return answer.isAllowed ? (answer.isRead ? 'accepted' : 'unreadable') : 'not-authorised'
}

async function changeState({ services, connection, client, payload }: Publication): Promise<PublishAnswer> {
  const state = readText(payload)?.replace(/^"(.*)"$/, '$1')
  if (state !== 'foreground' && state !== 'background') return 'unreadable'
  const { ctx, installationId, installationNo } = client
  const isOpen = state === 'foreground'
  client.isOpen = isOpen
  await changeForeground(ctx, { installationId, installationNo, connectionId: connection.id, isOpen })
  if (isOpen) services.inboxSender.wake(connection)
  return 'accepted'
}
