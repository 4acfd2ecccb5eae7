import type { Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection that somebody opened, as Node hands it to a process. */
interface Handle {
  close(): void
}

/** What Node's own primary and processes tell each other. */
interface InternalMessage {
  act?: string
  seq?: number
  ack?: number
}

const lastWordsMs = 500

/**
 * Answers how the process ended, when all that it said was read. Node forgets the connections that a killed process was
 * given and has not answered for, and its clients would wait for ever: they are closed, so that the clients try again.
 */
export function endOfProcess(worker: Worker): Promise<string> {
  const { process: child } = worker
  const unanswered = new Map<number, Handle>()
  const send = child.send.bind(child) as (...given: unknown[]) => boolean
  child.send = ((message: InternalMessage, handle?: Handle, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined && handle) unanswered.set(message.seq, handle)
    return send(message, handle, ...rest)
  }) as typeof child.send
  child.on('internalMessage', ({ ack }: InternalMessage) => {
    if (ack !== undefined) unanswered.delete(ack)
  })
  const disconnected = new Promise((resolve) => worker.once('disconnect', resolve))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
    worker.once('exit', async (code, signal) => {
      // After a failed write Node does not see that the channel has ended.
      await Promise.race([disconnected, sleep(lastWordsMs)])
      for (const handle of unanswered.values()) handle.close()
      resolve(signal ?? `exit code ${code}`)
    })
  })
}
