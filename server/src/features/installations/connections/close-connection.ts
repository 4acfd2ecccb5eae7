import { busOf } from '#base/bus/bus.ts'
import { Listeners } from '#base/bus/listeners.ts'
import type { Store } from '#base/store/store.ts'

/** A connection that is over for the database, and whose socket may still be open in some process. */
export interface ClosedConnection {
  installationNo: number
  connectionId: string
}

/** Answers whether the socket was in this process: then no other has to be told. */
type Listener = (cut: ClosedConnection) => boolean

const topic = 'cut-off'
const listeners = new Listeners<Listener>()

/** Told when a connection has to be closed, whichever process says so. */
export function onCloseConnection(store: Store, listener: Listener): () => void {
  const remove = listeners.add(store, listener)
  const stopListening = busOf(store).on(topic, (body) => {
    if (!Array.isArray(body)) return
    const [installationNo, connectionId] = body as [number, string]
    listener({ installationNo, connectionId })
  })
  return () => {
    remove()
    stopListening()
  }
}

/** Called after the commit. When it is lost, the process that holds it finds out by itself within seconds. */
export function closeConnection(store: Store, cut: ClosedConnection): void {
  const found = listeners.of(store).filter((listener) => listener(cut))
  if (found.length === 0) void busOf(store).tell(topic, [cut.installationNo, cut.connectionId])
}
