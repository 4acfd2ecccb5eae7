import { connect } from 'node:net'
import { WebSocket } from 'ws'
import type { MqttScript } from './mqtt-scripts.ts'
import { answerWithinMs } from './send-http.ts'

const pingreq = Buffer.from([0xc0, 0])
const pingresp = Buffer.from([0xd0, 0])
/** Rubbish may leave the service waiting for the rest of a packet: then nothing comes back. */
const quietMs = 500
/** Crowds are let in a few at a time. */
const untilLetInMs = 10_000

interface Line {
  send(bytes: Buffer): void
  hangUp(): void
}

/**
 * Plays a script and a PINGREQ after it, waits for the answer to that as long as one may come, and hangs up. Says who
 * closed the connection. Fails when the service does not let go of it.
 */
export function sendMqtt(
  ports: { http: number; mqtt: number },
  { isWebSocket, isLetIn, writes }: MqttScript,
): Promise<'answered' | 'quiet' | 'closed'> {
  return new Promise((resolve, reject) => {
    let outcome: 'answered' | 'quiet' | 'closed' = 'closed'
    let line: Line | undefined
    const end = (why: typeof outcome) => {
      if (outcome !== 'closed') return
      outcome = why
      line?.hangUp()
    }
    let quiet = setTimeout(() => end('quiet'), untilLetInMs)
    const waitAgain = (ms: number) => {
      clearTimeout(quiet)
      quiet = setTimeout(() => end('quiet'), ms)
    }
    const timer = setTimeout(() => {
      reject(new Error('the service does not close what the client has closed'))
    }, answerWithinMs)
    line = (isWebSocket ? openWebSocket : openTcp)(ports, {
      onOpen: () => {
        waitAgain(isLetIn ? untilLetInMs : quietMs)
        for (const bytes of [...writes, pingreq]) line?.send(bytes)
      },
      onBytes: (bytes) => {
        waitAgain(quietMs)
        if (bytes.subarray(-2).equals(pingresp)) end('answered')
      },
      onClose: () => {
        clearTimeout(timer)
        clearTimeout(quiet)
        resolve(outcome)
      },
    })
  })
}

interface Listener {
  onOpen(): void
  onBytes(bytes: Buffer): void
  onClose(): void
}

function openTcp({ mqtt }: { mqtt: number }, { onOpen, onBytes, onClose }: Listener): Line {
  const socket = connect({ port: mqtt, host: '127.0.0.1', noDelay: true })
  socket.on('connect', onOpen).on('data', onBytes).on('close', onClose)
  socket.on('error', () => undefined)
  return { send: (bytes) => socket.writable && socket.write(bytes), hangUp: () => socket.end() }
}

function openWebSocket({ http }: { http: number }, { onOpen, onBytes, onClose }: Listener): Line {
  const socket = new WebSocket(`ws://127.0.0.1:${http}/mqtt`, ['mqtt'], { perMessageDeflate: false })
  socket.on('open', onOpen).on('close', onClose)
  socket.on('message', (data) => onBytes(data as Buffer))
  socket.on('error', () => undefined)
  return {
    send: (bytes) => socket.readyState === WebSocket.OPEN && socket.send(bytes),
    hangUp: () => socket.close(),
  }
}
