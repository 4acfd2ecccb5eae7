import { busOf } from '#base/bus/bus.ts'
import type { ReplacedConnection } from '#features/installations/connections/write-connections.ts'
import type { Client, ClientConnection } from './client-connection.ts'
import type { ConnectionServices } from './connection-services.ts'
import type { Past } from './inbox/in-flight-window.ts'

type Services = Pick<ConnectionServices, 'store' | 'connections' | 'holder' | 'now'>

/** Asks another process to close a connection and to report what it sent. */
interface TakenOver {
  connectionId: string
  installationNo: number
  by: string
  holder: string
}

interface PastTold {
  connectionId: string
  unacknowledged: readonly string[] | null
}

/** Maximum time that another process keeps a replaced connection open if it misses the request to close it. */
const unheardForMs = 60_000

/**
 * Returns what the client may have been sent already. Its earlier connection may have been sent messages until just
 * now, even after this one was accepted.
 */
export function readPast(
  { connections, holder, now }: Services,
  {
    replaced,
    unacknowledged,
    connectedAt,
  }: { replaced: ReplacedConnection | undefined; unacknowledged: readonly string[] | undefined; connectedAt: Date },
): Past {
  if (!replaced) return { unacknowledged, endsAt: connectedAt }
  if (replaced.holder !== holder) return { unacknowledged: undefined, endsAt: new Date(Number(now()) + unheardForMs) }
  return { unacknowledged: sentOver(connections.findById(replaced.connectionId)), endsAt: now() }
}

/** Closes the earlier connection of a client that was admitted. */
export function takeOver(services: Services, connection: ClientConnection, replaced?: ReplacedConnection): void {
  services.connections.admit(connection)?.close('taken-over')
  if (!replaced || replaced.holder === services.holder) return
  const { connectionId, holder } = replaced
  const installationNo = (connection.client as Client).installationNo
  const body: TakenOver = { connectionId, installationNo, by: connection.id, holder: services.holder }
  void busOf(services.store).tell('taken-over', body, holder)
}

/** Returns the functions that unsubscribe. */
export function followTakeOvers({ store, connections, now }: Services): (() => void)[] {
  const bus = busOf(store)
  return [
    bus.on('taken-over', (told) => {
      // A process of an earlier version names only the connection.
      const taken = typeof told === 'string' ? { connectionId: told } : (told as TakenOver)
      const connection = connections.findById(taken.connectionId)
      connection?.close('taken-over')
      if (!('by' in taken)) return
      const unacknowledged =
        sentOver(connection) ?? connections.left.sentOver(taken.installationNo, taken.connectionId) ?? null
      const past: PastTold = { connectionId: taken.by, unacknowledged }
      void bus.tell('past-sent', past, taken.holder)
    }),
    bus.on('past-sent', (told) => {
      const { connectionId, unacknowledged } = told as PastTold
      const window = connections.findById(connectionId)?.client?.inFlightWindow
      window?.learnPast({ unacknowledged: unacknowledged ?? undefined, endsAt: now() })
    }),
  ]
}

function sentOver(connection: ClientConnection | undefined): readonly string[] | undefined {
  return connection?.client?.inFlightWindow.unacknowledged
}
