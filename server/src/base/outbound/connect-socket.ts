import { isIP, connect as openPlain, type Socket } from 'node:net'
import {
  createSecureContext,
  getCACertificates,
  connect as openSecure,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { LRUCache } from 'lru-cache'
import { describeFault } from './describe-fault.ts'

export interface Destination {
  /** Who we want to talk to: its scheme says whether there is TLS, its name is what the certificate must be for. */
  url: URL
  /** Where to connect, when it was chosen before; else the system resolves the name. */
  address?: string
  /** A certificate that is trusted besides the usual ones. */
  ca?: string
  protocols: string[]
}

export interface Connecting {
  cancel(fault: string): void
}

/** Calls back once: with a connected, verified socket, or with what is wrong in plain words. */
export function connectSocket(
  destination: Destination,
  timeoutMs: number,
  done: (socket: Socket | undefined, fault: string) => void,
): Connecting {
  const isSecure = destination.url.protocol === 'https:'
  let socket: Socket
  try {
    socket = isSecure ? openTls(destination, timeoutMs) : openPlain(placeOf(destination, timeoutMs))
  } catch (error) {
    queueMicrotask(() => done(undefined, describeFault(error)))
    return { cancel: () => {} }
  }
  const timer = setTimeout(() => end(`no connection within ${timeoutMs / 1000} s`), timeoutMs)
  // Stays when this is over: a socket may have something to say at any time.
  socket.on('error', (error) => end(describeFault(error)))
  socket.once('close', () => end('the other side closed the connection'))
  socket.once(isSecure ? 'secureConnect' : 'connect', () => end(undefined))

  let hasEnded = false
  function end(fault: string | undefined) {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    if (fault === undefined) {
      socket.setNoDelay(true)
      done(socket, '')
    } else {
      socket.destroy()
      done(undefined, fault)
    }
  }
  return { cancel: end }
}

function placeOf({ url, address }: Destination, timeoutMs: number) {
  const name = hostOf(url)
  return {
    host: isIP(name) ? name : (address ?? name),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    // The default of a few hundred milliseconds per address is too short for far-away hosts.
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(timeoutMs / 4)),
  }
}

function openTls(destination: Destination, timeoutMs: number): TLSSocket {
  const name = hostOf(destination.url)
  return openSecure({
    ...placeOf(destination, timeoutMs),
    ...(isIP(name) ? {} : { servername: name }),
    ...(destination.ca === undefined ? {} : { secureContext: contexts.memo(destination.ca) }),
    ALPNProtocols: destination.protocols,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  })
}

/** An IPv6 address stands in brackets in a URL and without them everywhere else. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

/** By the certificate that they trust besides the usual ones. */
const contexts = new LRUCache<string, SecureContext>({
  max: 16,
  memoMethod: (ca) => createSecureContext({ ca: [...getCACertificates('default'), ca], minVersion: 'TLSv1.2' }),
})
