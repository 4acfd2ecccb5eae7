import { connect as openSession } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { connectSocket } from '../outbound/connect-socket.ts'
import { describeFault } from '../outbound/describe-fault.ts'
import type { Connection, ConnectionOwner } from './connection.ts'
import { Http1Connection } from './http1-connection.ts'
import { Http2Connection } from './http2-connection.ts'

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
  const session = openSession(host.origin, {
    createConnection: () => socket,
    settings: { enablePush: false },
    maxSessionMemory: 64,
  })
  const timer = setTimeout(() => end('the other side does not answer in HTTP/2'), timeoutMs)
  const onError = (error: Error) => end(describeFault(error))
  const onClose = () => end('the other side closed the connection')
  session.on('error', onError)
  session.once('close', onClose)
  session.once('remoteSettings', () => end(undefined))

  let hasEnded = false
  function end(fault: string | undefined) {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    session.off('close', onClose)
    if (fault === undefined) {
      done(new Http2Connection(session, socket, host.origin, host.isCautious, owner), '')
      session.off('error', onError)
    } else {
      session.destroy()
      socket.destroy()
      done(undefined, fault)
    }
  }
  return () => end(notNeeded)
}
