import { busOf } from '../../base/bus/bus.ts'
import { createLoop, type Loop } from '../../base/loop.ts'
import { endLive } from '../../features/deliveries/inbox/end-live.ts'
import { listFilledInboxes } from '../../features/deliveries/inbox/list-filled-inboxes.ts'
import { holdConnections } from '../../features/installations/connections/hold-connections.ts'
import { Steadiness } from '../../features/installations/connections/steadiness.ts'
import { closeRevoked } from './admission/close-revoked.ts'
import { fullBytes } from './connection.ts'
import type { Door } from './door.ts'

/** How many leases of deliveries long whoever left is looked after. */
const leasesAfterLeaving = 1.5
/** [MQTT-3.1.2-24] */
const keepaliveFactor = 1.5

/** What happens to connections without anybody sending anything. */
export function createUpkeep(door: Door): { watch: Loop; hold: Loop } {
  const { log } = door
  const { sweepEveryMs, holdEveryMs, aliveMs } = door.config.durations
  const steadiness = new Steadiness(aliveMs)
  return {
    watch: createLoop({ name: 'the watch over connections', log, everyMs: sweepEveryMs, turn: () => sweep(door) }),
    hold: createLoop({
      name: 'the hold on connections',
      log,
      everyMs: holdEveryMs,
      turn: () => hold(door, steadiness),
    }),
  }
}

async function sweep(door: Door): Promise<boolean> {
  const { connectMs, slowReaderMs } = door.config.durations
  const nowMs = performance.now()
  for (const connection of door.connections.all) {
    const { keepaliveMs, heardAtMs, line } = connection
    if (connection.stage === 'new' && nowMs - connection.openedAtMs > connectMs) connection.close('no-connect')
    else if (keepaliveMs > 0 && nowMs - heardAtMs > keepaliveMs * keepaliveFactor) connection.close('keepalive-timeout')
    if (line.waitingBytes >= fullBytes) connection.fullSinceMs ||= nowMs
    if (connection.fullSinceMs > 0 && nowMs - connection.fullSinceMs > slowReaderMs) connection.close('slow-reader')
  }
  await closeRevoked(door)
  return false
}

/** Says that this process lives, closes what was taken over elsewhere, and looks into the inboxes: a ring may be lost. */
async function hold(door: Door, steadiness: Steadiness): Promise<boolean> {
  const connected = [...door.connections.all].flatMap((connection) =>
    connection.client && connection.stage === 'connected' ? [{ connection, client: connection.client }] : [],
  )
  const held = connected.map(({ connection, client }) => ({
    appId: client.ctx.app.id,
    installationNo: client.installationNo,
    connectionId: connection.id,
    isOpen: client.isOpen,
  }))
  const isAlive = (id: string) => door.connections.has(id)
  const askedAtMs = performance.now()
  const { current, lost, others, isNew } = await holdConnections(door, {
    holder: door.holder,
    aliveMs: door.config.durations.aliveMs,
    held,
    isAlive,
    steadiness,
  })
  door.peers.noteCount(others, askedAtMs)
  if (isNew) void busOf(door.store).tell('joined', door.holder)
  for (const { connection } of connected) if (!current.has(connection.id)) connection.close('taken-over')
  for (const installation of lost) door.connections.noteLeft(installation)
  const filled = new Set(await listFilledInboxes(door, { installations: held }))
  await endUnsentLive(
    door,
    held.filter(({ installationNo }) => filled.has(installationNo)),
  )
  for (const installationNo of filled) {
    const connection = door.connections.find(installationNo)
    if (connection) door.postman.wake(connection)
  }
  return false
}

/** Who was thought to be connected may get something into the inbox as long as a batch is held. */
async function endUnsentLive(door: Door, filled: readonly { appId: number; installationNo: number }[]): Promise<void> {
  const startedAtMs = performance.now()
  const unnoted = await door.postman.noteAgain()
  const installations = [...door.connections.left, ...filled].filter(
    ({ installationNo }) => !unnoted.has(installationNo),
  )
  await endLive(door, { installations })
  door.connections.forgetLeft(startedAtMs - door.config.durations.deliveryLeaseMs * leasesAfterLeaving)
}
