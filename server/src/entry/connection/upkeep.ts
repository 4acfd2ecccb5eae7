import { busOf } from '#base/bus/bus.ts'
import { createLoop, type Loop } from '#base/loop.ts'
import { endLiveMessages } from '#features/deliveries/inbox/end-live-messages.ts'
import { listFilledInboxes } from '#features/deliveries/inbox/list-filled-inboxes.ts'
import { abandonEnded } from '#features/installations/connections/abandon-ended.ts'
import { checkConnections } from '#features/installations/connections/check-connections.ts'
import type { HeldConnection } from '#features/installations/connections/hold-connections.ts'
import { keepPresence } from '#features/installations/connections/keep-presence.ts'
import { StoreContact } from '#features/installations/connections/store-contact.ts'
import { closeRevoked } from './admission/close-revoked.ts'
import type { ClientConnection } from './client-connection.ts'
import { ConnectionRounds } from './connection-rounds.ts'
import type { ConnectionServices } from './connection-services.ts'
import { fullBytes } from './transport/transport.ts'

/** How many leases of deliveries long whoever left is looked after. */
export const leasesAfterLeaving = 1.5
/** [MQTT-3.1.2-24] */
const keepaliveFactor = 1.5

/** What this process hears of the others, and which there are. */
interface Known {
  hearing: number | undefined
  others: readonly string[]
}

interface HoldState {
  storeContact: StoreContact
  rounds: ConnectionRounds
  /** As of the last turn that ended well. */
  known: Known | undefined
}

/** What happens to connections without anybody sending anything. */
export function createUpkeep(services: ConnectionServices): { watch: Loop; hold: Loop } {
  const { log } = services
  const { sweepEveryMs, holdEveryMs, aliveMs } = services.config.durations
  const state = { storeContact: new StoreContact(aliveMs), rounds: new ConnectionRounds(), known: undefined }
  return {
    watch: createLoop({ name: 'the watch over connections', log, everyMs: sweepEveryMs, turn: () => sweep(services) }),
    hold: createLoop({
      name: 'the hold on connections',
      log,
      everyMs: holdEveryMs,
      turn: () => hold(services, state),
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
async function hold(services: ConnectionServices, state: HoldState): Promise<boolean> {
  const { connections, holder, store } = services
  const startedAtMs = performance.now()
  const connected = [...connections.all].filter(({ stage, client }) => client && stage === 'connected')
  const { lost, others, isNew } = await keepPresence(services, {
    aliveMs: services.config.durations.aliveMs,
    roles: services.config.roles,
    listHeld: () => connected.flatMap(asHeld),
    storeContact: state.storeContact,
  })
  for (const installation of lost) connections.left.record(installation)

  const known = { hearing: busOf(store).hearing, others: others.map(({ id }) => id) }
  const isComplete = isNew || mayHaveMissed(state.known, known)
  // Should this turn fail, the next one looks at all.
  state.known = undefined
  const looked = state.rounds.take(connected, { isComplete, nowMs: startedAtMs })
  await lookAt(services, looked.connections)
  if (looked.endsRound) await abandonEnded(services, { holder, isAlive: (id) => connections.has(id) })
  state.known = known
  return false
}

/** Whether somebody may have told this process something that it did not hear, or died before they told it. */
export function mayHaveMissed(before: Known | undefined, now: Known): boolean {
  if (!before || now.hearing === undefined || now.hearing !== before.hearing) return true
  return before.others.some((id) => !now.others.includes(id))
}

async function lookAt(services: ConnectionServices, looked: readonly ClientConnection[]): Promise<void> {
  const { connections, holder, inboxSender } = services
  const held = looked.flatMap(asHeld)
  const current = await checkConnections(services, { holder, held })
  for (const connection of looked) if (!current.has(connection.id)) connection.close('taken-over')
  const filled = new Set(await listFilledInboxes(services, { installations: held }))
  await endUnsentLive(
    services,
    held.filter(({ installationNo }) => filled.has(installationNo)),
  )
  for (const installationNo of filled) {
    const connection = connections.find(installationNo)
    if (connection) inboxSender.wake(connection)
  }
}

function asHeld({ id, client }: ClientConnection): HeldConnection[] {
  if (!client) return []
  const { ctx, installationNo, isOpen } = client
  return [{ appId: ctx.app.id, installationNo, connectionId: id, isOpen }]
}

/** Who was thought to be connected may get something into the inbox as long as a batch is held. */
async function endUnsentLive(
  services: ConnectionServices,
  filled: readonly { appId: number; installationNo: number }[],
): Promise<void> {
  const startedAtMs = performance.now()
  const unnoted = await services.inboxSender.recordAgain()
  const installations = [...services.connections.left.all, ...filled].filter(
    ({ installationNo }) => !unnoted.has(installationNo),
  )
  await endLiveMessages(services, { installations })
  services.connections.left.forget(startedAtMs - services.config.durations.deliveryLeaseMs * leasesAfterLeaving)
}
