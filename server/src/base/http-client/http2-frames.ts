import type { ClientHttp2Session } from 'node:http2'
import type { PoolRequest } from './pool.ts'

/** What a host that names no limit is expected to carry, and the most that one connection is given. */
const defaultStreams = 100
const mostStreams = 1000

/** How many requests the host takes at once on this session, by its latest SETTINGS. */
export function streamLimit(session: ClientHttp2Session): number {
  const told = session.remoteSettings?.maxConcurrentStreams
  return told === undefined || told > 0x7fff_ffff ? defaultStreams : Math.min(told, mostStreams)
}

/**
 * Names and values in turn, as node takes them with the least work. The requests of a big send have one object of headers,
 * which is read once.
 */
export class RequestHeaders {
  private readonly origin: URL
  private last: Pick<PoolRequest, 'method' | 'path' | 'headers'> | undefined
  private list: readonly string[] = []

  constructor(origin: URL) {
    this.origin = origin
  }

  write(request: PoolRequest): string[] {
    const { method, path, headers, body } = request
    const { last } = this
    if (last?.headers !== headers || last.path !== path || last.method !== method) {
      this.list = listHeaders(request, this.origin)
      this.last = { method, path, headers }
    }
    const list = this.list.slice()
    if (body !== undefined && headers['content-length'] === undefined) {
      list.push('content-length', String(Buffer.byteLength(body)))
    }
    return list
  }
}

/** A path must be plain; a NUL in a value would end it early and begin another header. */
function listHeaders({ method, path, headers }: PoolRequest, origin: URL): string[] {
  if (!/^\/[!-~]*$/.test(path)) throw new Error('its path has a character that must be escaped')
  const scheme = origin.protocol === 'https:' ? 'https' : 'http'
  const list = [':method', method, ':path', path, ':scheme', scheme, ':authority', origin.host]
  for (const name in headers) {
    const value = headers[name] as string
    if (value.includes('\0')) throw new Error(`its header ${name} has a NUL in it`)
    list.push(name, value)
  }
  return list
}

const endCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

export function endCodeName(code: number): string {
  return endCodes[code] ?? `error ${code}`
}
