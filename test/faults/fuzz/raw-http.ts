import type { Chance } from './chance.ts'
import { makeHttpRequest } from './http-requests.ts'
import { mutateBytes, splitBytes } from './mutate.ts'
import type { World } from './world.ts'

/** The bytes of a request, spoilt anywhere: request line, headers, lengths, chunks, body. */
export function makeRawHttp(chance: Chance, world: World, number: number): Buffer[] {
  const { method, path, headers, body = Buffer.alloc(0) } = makeHttpRequest(chance, world, number)
  const isChunked = chance.is(0.2)
  const lines = [
    `${method} ${path.slice(0, 8_000)} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(chance.is(0.1) ? ['Connection: close'] : []),
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
  ]
  const part = body.subarray(0, 20_000)
  const sent = isChunked
    ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n0\r\n\r\n')])
    : body
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  // Most of the edits belong where they are not just text of a body.
  const spoilt = chance.is(0.7)
    ? Buffer.concat([mutateBytes(chance, head), sent])
    : mutateBytes(chance, Buffer.concat([head, sent]))
  return splitBytes(chance, spoilt)
}
