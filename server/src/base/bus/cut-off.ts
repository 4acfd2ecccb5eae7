import type { Store } from '../store/store.ts'
import { busOf } from './bus.ts'
import { Listeners } from './listeners.ts'

/** A connection that is over for the database, and whose line may still be open in some process. */
export interface CutConnection {
  installationNo: number
  connectionId: string
}

/** Answers whether the line was in this process: then no other has to be told. */
type Listener = (cut: CutConnection) => boolean

const topic = 'cut-off'
const listeners = new Listeners<Listener>()

/** Told when a line has to be closed, whichever process says so. */
export function onCutOff(store: Store, listener: Listener): () => void {
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

/** Called after the commit. When it is lost, the holder of the line finds out by itself within seconds. */
export function cutOff(store: Store, cut: CutConnection): void {
  const found = listeners.of(store).filter((listener) => listener(cut))
  if (found.length === 0) void busOf(store).tell(topic, [cut.installationNo, cut.connectionId])
}
