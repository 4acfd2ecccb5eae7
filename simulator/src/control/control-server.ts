import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { checkCaller, isLocalOrigin } from './check-caller.ts'
import { ControlError } from './control-error.ts'
import { findRoute } from './find-route.ts'
import { readJson } from './read-json.ts'
import type { ControlWorld } from './routes.ts'

const headerMs = 10_000
/** Longer than clients keep a connection without using it: whoever closes it, nobody sends a request into it meanwhile. */
const keepAliveMs = 72_000

/** The simulator's own HTTP API. Nothing in a request can make it answer with a 5xx. */
export function createControlServer(world: ControlWorld, ownHost: string): Server {
  const server = createServer({ headersTimeout: headerMs, keepAliveTimeout: keepAliveMs }, (request, response) => {
    response.on('error', () => undefined)
    answer(world, ownHost, request, response).catch((error) => fail(response, error))
  })
  // A request without Host is answered by checkCaller.
  return server.on('clientError', (_error, socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  )
}

async function answer(world: ControlWorld, ownHost: string, request: IncomingMessage, response: ServerResponse) {
  checkCaller(request, ownHost)
  allowLocalPages(request, response)
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end()
    return
  }
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
  const { route, words } = findRoute(request.method ?? '', path)
  const body = route.method === 'GET' ? {} : await readJson(request)
  const result = await route.run(world, { words, query: new URLSearchParams(search), body, request, response })
  // What cannot be stored now is stored with the next change, and told as a fault.
  if (route.method !== 'GET') await world.stored().catch(() => undefined)
  // A stream has begun its answer itself.
  if (!response.headersSent) send(response, 200, result)
}

function allowLocalPages({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'origin')
  if (headers.origin === undefined || !isLocalOrigin(headers.origin)) return
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE')
  response.setHeader('access-control-allow-headers', 'content-type')
  response.setHeader('access-control-max-age', '600')
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const status = error instanceof ControlError ? error.status : 500
  // What is left of a body that was too long is not read.
  if (status === 413) response.setHeader('connection', 'close')
  send(response, status, { error: { status, message: error instanceof Error ? error.message : String(error) } })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body ?? {}))
}
