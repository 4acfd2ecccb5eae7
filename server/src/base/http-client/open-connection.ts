import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { connectSocket } from '../outbound/connect-socket.ts'
import type { Connection, ConnectionOwner } from './connection.ts'
import { Http1Connection } from './http1-connection.ts'
import { Http2Session, type SessionListener } from './http2/session.ts'
import { Http2Connection } from './http2-connection.ts'

/** Until the first SETTINGS nothing else may come. */
const silent: SessionListener = {
  onHeard: () => {},
  onSettings: () => {},
  onHeaders: () => false,
  onData: () => false,
  onReset: () => false,
  onGoaway: () => {},
  onPong: () => {},
  onClose: () => {},
}

const notNeeded = 'the connection is not needed any more'

export interface Host {
  origin: URL
  address?: string
  ca?: string
  isCautious: boolean
  connectMs: number
}

/**
 * Connects, and waits for the host's first SETTINGS: only then is it known how many requests it takes, and that it is
 * there at all. Calls back once.
 */
export function openConnection(
  host: Host,
  owner: ConnectionOwner,
  done: (connection: Connection | undefined, fault: string) => void,
): { cancel(): void } {
  const startedAt = performance.now()
  const destination = {
    url: host.origin,
    protocols: ['h2', 'http/1.1'],
    ...(host.address === undefined ? {} : { address: host.address }),
    ...(host.ca === undefined ? {} : { ca: host.ca }),
  }
  let cancelGreeting: (() => void) | undefined
  const connecting = connectSocket(destination, host.connectMs, (socket, fault) => {
    if (!socket) done(undefined, fault)
    else if (isHttp1(socket)) done(new Http1Connection(socket, host.origin, owner), '')
    else {
      const leftMs = host.connectMs - (performance.now() - startedAt)
      cancelGreeting = greet(socket, host, owner, Math.max(1, leftMs), done)
    }
  })
  return {
    cancel() {
      if (cancelGreeting) cancelGreeting()
      else connecting.cancel(notNeeded)
    },
  }
}

function isHttp1(socket: Socket): boolean {
  return 'alpnProtocol' in socket && (socket as TLSSocket).alpnProtocol !== 'h2'
}

function greet(
  socket: Socket,
  host: Host,
  owner: ConnectionOwner,
  timeoutMs: number,
  done: (connection: Connection | undefined, fault: string) => void,
): () => void {
  const timer = setTimeout(() => end('the other side does not answer in HTTP/2'), timeoutMs)
  const session = new Http2Session(socket, host.origin, {
    ...silent,
    onSettings: () => end(undefined),
    onClose: (fault = 'the other side closed the connection') => end(fault),
  })

  let hasEnded = false
  function end(fault: string | undefined) {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    if (fault === undefined) done(new Http2Connection(session, host.isCautious, owner), '')
    else {
      session.cut()
      done(undefined, fault)
    }
  }
  return () => end(notNeeded)
}
