import { setTimeout as delay } from 'node:timers/promises'
import type { IConnectPacket } from 'mqtt-packet'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { clientOfToken } from '#features/accounts/access-tokens/client-of-token.ts'
import type { AccessToken } from '#features/accounts/access-tokens/find-token.ts'
import { touchToken } from '#features/accounts/access-tokens/touch-token.ts'
import { connectInstallation } from '#features/installations/connections/connect-installation.ts'
import { disconnectInstallation } from '#features/installations/connections/disconnect-installation.ts'
import { checkHost, checkOrigin } from '../../http/gate/authenticate.ts'
import { type ClientName, readClientId } from '../admission/client-id.ts'
import type { ClientConnection } from '../client-connection.ts'
import type { ConnectionServices } from '../connection-services.ts'
import { InFlightWindow } from '../inbox/in-flight-window.ts'
import type { Refusal } from '../reasons.ts'
import { readPast, takeOver } from '../take-overs.ts'

const receiveMaximum = 100
const wholeReceiveMaximum = 0xffff
const patienceMs = 8_000
const retryMs = 250

/** Lets a client in: who it is, by its key, and that the installation is its user's. */
export async function receiveConnect(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IConnectPacket,
): Promise<void> {
  connection.stage = 'connecting'
  if (packet.protocolVersion === 3) return void connection.refuse('version')
  connection.version = packet.protocolVersion === 5 ? 5 : 4
  for (;;) {
    const refusal = await services.connectAdmission.letIn(() => tryToAdmit(services, connection, packet))
    if (refusal === undefined || connection.stage !== 'connecting') return
    if (refusal !== 'later') return void connection.refuse(refusal)
    // Libraries give up when they are refused. So who comes while the database is away waits, or finds the line cut.
    if (performance.now() - connection.openedAtMs > patienceMs) return void connection.close('unavailable')
    await delay(retryMs)
  }
}

async function tryToAdmit(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IConnectPacket,
): Promise<Refusal | 'later' | undefined> {
  if (connection.stage !== 'connecting') return undefined
  try {
    return await admit(services, connection, packet)
  } catch (error) {
    return refusalOf(services, connection.transport.address, error)
  }
}

async function admit(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IConnectPacket,
): Promise<Refusal | undefined> {
  const { transport } = connection
  if (packet.properties?.authenticationMethod !== undefined) return 'auth-method'
  const name = readClientId(packet.clientId)
  if (!name) return 'client-id'
  const key = readKey(packet)
  if (key === undefined) return 'bad-key'
  const token = await services.authenticator.find(key)
  if (!token.scopes.some((scope) => scope === 'client' || scope === 'server')) return 'not-authorised'
  if (token.app.label !== name.appLabel) return 'not-authorised'
  checkHost(token, transport.host, services.config.baseHost)
  checkOrigin(token, transport.origin)
  if (!hasRoom(services, token.app.id, name)) return 'too-many-connections'
  touchToken(services.store, token, services.now()).catch((error) =>
    services.log.warn({ err: error }, 'the last use of a token was not noted'),
  )
  const { aliasSecret } = token
  await enter(services, connection, packet, { key, name, aliasSecret, ctx: contextOf(services, token) })
  return undefined
}

/** Who takes over from itself adds no connection, so a full app does not lock out its own clients. */
function hasRoom({ connections, config }: ConnectionServices, appId: number, { installationId }: ClientName): boolean {
  return connections.countOf(appId) < config.connectionsPerApp || connections.holds(appId, installationId)
}

/**
 * [client-protocol.md#connecting] User name and password are the client key; one of them is enough, two different ones
 * are not one.
 */
function readKey({ username, password }: IConnectPacket): string | undefined {
  const secret = password?.toString()
  if (username && secret && username !== secret) return undefined
  return secret || username || undefined
}

async function enter(
  services: ConnectionServices,
  connection: ClientConnection,
  packet: IConnectPacket,
  { key, name, aliasSecret, ctx }: { key: string; name: ClientName; aliasSecret: Buffer; ctx: Context },
): Promise<void> {
  const { userId, installationId } = name
  const isClean = packet.clean ?? true
  const connectedAt = ctx.now()
  const entered = { installationId, userId, holder: services.holder, connectionId: connection.id, isClean }
  const { installationNo, eventTopics, hadSession, unacknowledged, replaced } = await connectInstallation(ctx, entered)
  if (connection.stage !== 'connecting' || services.isClosing) {
    await disconnectInstallation(ctx, {
      installationId,
      installationNo,
      connectionId: connection.id,
      unacknowledged: replaced ? undefined : unacknowledged,
      mayReturn: true,
    })
    return void connection.close('shutting-down')
  }
  const past = readPast(services, { replaced, unacknowledged, connectedAt })
  const { receiveMaximum: asked = wholeReceiveMaximum, maximumPacketSize } = packet.properties ?? {}
  connection.client = {
    ctx,
    key,
    userId,
    installationId,
    installationNo,
    aliasSecret,
    eventTopics: new Set(eventTopics),
    isOpen: true,
    maxPacketBytes: maximumPacketSize ?? Number.POSITIVE_INFINITY,
    inFlightWindow: new InFlightWindow({ receiveMaximum: asked, connectedAt, past }),
  }
  connection.keepaliveMs = (packet.keepalive ?? 0) * 1_000
  takeOver(services, connection, replaced)
  acknowledge(connection, !isClean && hadSession)
  connection.stage = 'connected'
  services.metrics.connects.inc({ result: 'accepted' })
  services.inboxSender.wake(connection)
}

function acknowledge(connection: ClientConnection, sessionPresent: boolean): void {
  if (connection.version === 4) return void connection.send({ cmd: 'connack', sessionPresent, returnCode: 0 })
  connection.send({
    cmd: 'connack',
    sessionPresent,
    reasonCode: 0,
    properties: {
      receiveMaximum,
      maximumQoS: 1,
      retainAvailable: false,
      maximumPacketSize: limits.packetBytes,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
    },
  })
}

const contexts = new WeakMap<AccessToken, Context>()

/** One for all clients with the same key. */
function contextOf({ store, now, log, external }: ConnectionServices, token: AccessToken): Context {
  const known = contexts.get(token)
  if (known) return known
  const ctx: Context = { app: token.app, store, now, log, external }
  const client = clientOfToken(ctx, token)
  if (client) ctx.client = client
  contexts.set(token, ctx)
  return ctx
}

function refusalOf(services: ConnectionServices, address: string, error: unknown): Refusal | 'later' {
  if (!(error instanceof RequestError)) {
    services.log.error({ err: error }, 'a client could not be let in by our own fault')
    return 'unavailable'
  }
  if (error.status === 503) return 'later'
  if (error.status === 401) return services.failedKeys.take(address) < 0 ? 'too-many-tries' : 'bad-key'
  return 'not-authorised'
}
