import { busOf } from '../../base/bus/bus.ts'
import { createLoop, type Loop } from '../../base/loop.ts'
import { endLiveMessages } from '../../features/deliveries/inbox/end-live-messages.ts'
import { listFilledInboxes } from '../../features/deliveries/inbox/list-filled-inboxes.ts'
import { holdConnections } from '../../features/installations/connections/hold-connections.ts'
import { StoreContact } from '../../features/installations/connections/store-contact.ts'
import { closeRevoked } from './admission/close-revoked.ts'
import type { ConnectionServices } from './connection-services.ts'
import { fullBytes } from './transport/transport.ts'

/** How many leases of deliveries long whoever left is looked after. */
const leasesAfterLeaving = 1.5
/** [MQTT-3.1.2-24] */
const keepaliveFactor = 1.5

/** What happens to connections without anybody sending anything. */
export function createUpkeep(services: ConnectionServices): { watch: Loop; hold: Loop } {
  const { log } = services
  const { sweepEveryMs, holdEveryMs, aliveMs } = services.config.durations
  const storeContact = new StoreContact(aliveMs)
  return {
    watch: createLoop({ name: 'the watch over connections', log, everyMs: sweepEveryMs, turn: () => sweep(services) }),
    hold: createLoop({
      name: 'the hold on connections',
      log,
      everyMs: holdEveryMs,
      turn: () => hold(services, storeContact),
    }),
  }
}

async function sweep(services: ConnectionServices): Promise<boolean> {
  const { connectMs, slowReaderMs } = services.config.durations
  const nowMs = performance.now()
  for (const connection of services.connections.all) {
    const { keepaliveMs, heardAtMs, transport } = connection
    if (connection.stage === 'new' && nowMs - connection.openedAtMs > connectMs) connection.close('no-connect')
    else if (keepaliveMs > 0 && nowMs - heardAtMs > keepaliveMs * keepaliveFactor) connection.close('keepalive-timeout')
    if (transport.waitingBytes >= fullBytes) connection.fullSinceMs ||= nowMs
    if (connection.fullSinceMs > 0 && nowMs - connection.fullSinceMs > slowReaderMs) connection.close('slow-reader')
  }
  await closeRevoked(services)
  return false
}

/** Says that this process lives, closes what was taken over elsewhere, and looks into the inboxes: a notice may be lost. */
async function hold(services: ConnectionServices, storeContact: StoreContact): Promise<boolean> {
  const connected = [...services.connections.all].flatMap((connection) =>
    connection.client && connection.stage === 'connected' ? [{ connection, client: connection.client }] : [],
  )
  const held = connected.map(({ connection, client }) => ({
    appId: client.ctx.app.id,
    installationNo: client.installationNo,
    connectionId: connection.id,
    isOpen: client.isOpen,
  }))
  const isAlive = (id: string) => services.connections.has(id)
  const askedAtMs = performance.now()
  const { current, lost, others, isNew } = await holdConnections(services, {
    holder: services.holder,
    aliveMs: services.config.durations.aliveMs,
    held,
    isAlive,
    storeContact,
  })
  services.peers.recordCount(others, askedAtMs)
  if (isNew) void busOf(services.store).tell('joined', services.holder)
  for (const { connection } of connected) if (!current.has(connection.id)) connection.close('taken-over')
  for (const installation of lost) services.connections.recordLeft(installation)
  const filled = new Set(await listFilledInboxes(services, { installations: held }))
  await endUnsentLive(
    services,
    held.filter(({ installationNo }) => filled.has(installationNo)),
  )
  for (const installationNo of filled) {
    const connection = services.connections.find(installationNo)
    if (connection) services.inboxSender.wake(connection)
  }
  return false
}

/** Who was thought to be connected may get something into the inbox as long as a batch is held. */
async function endUnsentLive(
  services: ConnectionServices,
  filled: readonly { appId: number; installationNo: number }[],
): Promise<void> {
  const startedAtMs = performance.now()
  const unnoted = await services.inboxSender.recordAgain()
  const installations = [...services.connections.left, ...filled].filter(
    ({ installationNo }) => !unnoted.has(installationNo),
  )
  await endLiveMessages(services, { installations })
  services.connections.forgetLeft(startedAtMs - services.config.durations.deliveryLeaseMs * leasesAfterLeaving)
}
