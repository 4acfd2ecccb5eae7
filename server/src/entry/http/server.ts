import type { Socket } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import multipart from '@fastify/multipart'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify'
import type { Registry } from 'prom-client'
import { limits } from '#base/config.ts'
import { type ErrorCode, errorCatalogue, RequestError } from '#base/errors.ts'
import { findTokens, findTokensOfBody, redactTokens } from '#base/secrets/redact-tokens.ts'
import { followTls, readTls } from '#base/tls.ts'
import { isTracing, logFieldsOf } from '#base/trace/tracing.ts'
import type { AccessToken } from '#features/accounts/access-tokens/find-token.ts'
import { hasPart } from '../roles.ts'
import { addRoute } from './add-route.ts'
import { errorBody, readError } from './answer/answer-error.ts'
import { closeEventStreams } from './answer/event-stream.ts'
import { closeLineStreams } from './answer/send-lines.ts'
import { apiRoutes } from './api.ts'
import { clientRoutes } from './client.ts'
import { allowOrigin, answerPreflights } from './gate/cors.ts'
import { createGate } from './gate/gate.ts'
import { RegistrationLimit } from './gate/registration-limit.ts'
import { RequestIds } from './gate/request-id.ts'
import type { HttpServices } from './http-services.ts'
import { followConnections } from './operations/follow-connections.ts'
import { Observer } from './operations/observe.ts'
import { addOperations } from './operations/operations.ts'
import { startRequestSpan } from './operations/request-span.ts'
import { addGuideFiles } from './pages/guide-files.ts'
import { addImageFiles } from './pages/image-files.ts'
import { addPanelFiles } from './pages/panel-files.ts'
import { addPreferencePage } from './pages/preferences/preference-page.ts'
import { addReference } from './pages/reference.ts'
import { addReferencePage } from './pages/reference-page.ts'
import { addSdkFiles } from './pages/sdk-files.ts'
import { addTryPage } from './pages/try-page.ts'
import { addPanel } from './panel/add-panel.ts'
import { addImageParser } from './read/image-body.ts'
import { limitChunks } from './read/limit-chunks.ts'
import { addBodyParsers, addFormParser } from './read/read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    token: AccessToken | undefined
    bodyText: string
    startedAt: number
  }
}

export interface HttpServer {
  app: FastifyInstance
  /** What /metrics shows. */
  registry: Registry
  /** Makes `/ready` fail and every response close its connection. Requests are still accepted. */
  startDraining(): void
  /** Stops listening, and finishes the requests of open connections. */
  close(): Promise<void>
}

export async function createHttpServer(services: HttpServices): Promise<HttpServer> {
  const { config, log } = services
  const ids = new RequestIds()
  const observer = new Observer(config, log)

  const answerError = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    const fault = readError(error)
    const { span } = request
    if (fault.code === 'internal')
      log.error({ err: error, requestId: request.id, ...logFieldsOf(span) }, 'a request failed by our own fault')
    span?.set({ 'peyk.error_code': fault.code })
    reply.header('link', `</guide/errors/#${fault.code}>; rel="help"`)
    if (fault.retryAfterSeconds) reply.header('retry-after', String(fault.retryAfterSeconds))
    // A body that was not read to its end would be taken for the next request.
    if (!request.raw.complete) reply.header('connection', 'close')
    observer.observe(request, `${request.method} ${request.routeOptions.url ?? 'unknown'}`, fault.status)
    reply
      .status(fault.status)
      .type('application/json; charset=utf-8')
      .send(errorBody(fault, request.id, tokensOf(request)))
  }

  const tls = config.tls && (await readTls(config.tls))
  const options: FastifyServerOptions = {
    logger: false,
    genReqId: (request) => ids.of(request.headers['x-request-id']),
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: false, maxParamLength: 4096, ignoreTrailingSlash: true },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    requestTimeout: 300_000,
    frameworkErrors: (error, request, reply) => answerError(request, reply as FastifyReply, error),
    clientErrorHandler: answerBrokenClient,
  }
  const wire = { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, requireHostHeader: false }
  const secured = tls && { https: { ...wire, ...tls, handshakeTimeout: limits.handshakeMs } }
  const app = fastify({ ...options, ...(secured ?? { http: wire }) } as FastifyServerOptions)
  const connections = followConnections(app.server)
  const follow = config.tls && tls && followTls(config.tls, app.server as unknown as TlsServer, { first: tls, log })
  follow?.start()
  app.decorateRequest('token', undefined)
  app.decorateRequest('bodyText', '')
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('span', undefined)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  app.setErrorHandler((error, request, reply) => answerError(request, reply, error))
  app.setNotFoundHandler((request, reply) => {
    // Before it is cut: a piece of a token cannot be told.
    const path = redactTokens(request.url.split('?', 1)[0] as string)
    const elsewhere = hasPart(config.roles, 'http-routes') ? '' : ` here: the roles are ${config.roles.join(', ')}`
    answerError(
      request,
      reply,
      new RequestError('unknown-route', `There is no ${request.method} ${path.slice(0, 200)}${elsewhere}.`),
    )
  })

  let isDraining = false
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    if (isTracing()) request.span = startRequestSpan(request)
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    if (request.headers.origin !== undefined && isApi(request.url)) allowOrigin(reply, request.headers.origin)
    // A proxy must not keep a connection that is about to close: it would send the next request into it.
    if (isDraining) reply.header('connection', 'close')
    limitChunks(request.raw, () => answerTooManyChunks(request, reply))
    done(requestFault(request))
  })
  answerPreflights(app)
  addBodyParsers(app)
  addOperations(app, services, observer, { isDraining: () => isDraining })
  if (hasPart(config.roles, 'http-routes')) await addRoutes(app, services, observer)

  return {
    app,
    registry: observer.registry,
    startDraining: () => {
      isDraining = true
    },
    close: async () => {
      isDraining = true
      app.server.close()
      await follow?.stop()
      await connections.drain(limits.shutdownMs, () => {
        closeEventStreams(services.store)
        closeLineStreams(services.store)
      })
      await app.close()
    },
  }
}

/** The API, the panel and the pages. */
async function addRoutes(app: FastifyInstance, services: HttpServices, observer: Observer): Promise<void> {
  const routes = [...apiRoutes, ...clientRoutes]
  await addReference(app, routes)
  addReferencePage(app, services)
  addGuideFiles(app, services)
  addSdkFiles(app, services)
  addImageFiles(app, services, observer)
  addPreferencePage(app, services, observer)
  addTryPage(app, services)
  addPanelFiles(app, services)
  await addPanel(app, services, observer)
  const registrations = new RegistrationLimit(services.config, () => performance.now(), services)
  const parts = { services, gate: createGate(services), observer, registrations }
  await app.register(async (scope) => {
    addFormParser(scope)
    for (const route of routes) if (!route.endpoint.file && !route.endpoint.image) addRoute(scope, parts, route)
  })
  // Apart, because what reads multipart bodies slows every route beside it down.
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 2, fields: 20, headerPairs: 50 }, throwFileSizeLimit: true })
    for (const route of routes) if (route.endpoint.file) addRoute(scope, parts, route)
  })
  await app.register(async (scope) => {
    addImageParser(scope)
    for (const route of routes) if (route.endpoint.image) addRoute(scope, parts, route)
  })
}

/** What other pages may call, with a token. Nothing else tells them anything. */
function isApi(url: string): boolean {
  return /^\/api\//i.test(url)
}

/**
 * Two Hosts, or a target that names one, are how requests are smuggled past a proxy [requests.md#apps-and-addresses];
 * no text may hold U+0000.
 */
function requestFault(request: FastifyRequest): RequestError | undefined {
  const { rawHeaders, url, httpVersion } = request.raw
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts !== 1 && (hosts > 0 || httpVersion !== '1.0')) {
    return new RequestError('malformed-http', `The request has ${hosts} Host headers; expected one.`)
  }
  if (!url?.startsWith('/') && url !== '*')
    return new RequestError('malformed-http', 'The request target must be a path.')
  if (url?.includes('%00')) return new RequestError('invalid-text', 'The request target contains the character U+0000.')
  return undefined
}

/** Requests that the framework refuses, such as those with an invalid path, have no `bodyText`. */
function tokensOf({ url, headers, bodyText = '' }: Omit<FastifyRequest, 'bodyText'> & { bodyText?: string }): string[] {
  return [
    ...findTokens([url, ...Object.values(headers).flatMap((value) => value ?? [])]),
    ...findTokensOfBody(bodyText),
  ]
}

const socketErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** What Node's parser refuses never becomes a request; it is answered on the socket in the same shape. */
function answerBrokenClient(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = socketErrors[error.code ?? ''] ?? 'malformed-http'
  answerOnSocket(socket, new RequestError(code, errorCatalogue[code].meaning), 'none')
}

/** Stops reading the body. Whatever waits for it sees a disconnected client. */
function answerTooManyChunks({ raw, id }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  if (!reply.raw.headersSent && socket.writable) {
    answerOnSocket(socket, new RequestError('too-large', 'The body comes in too many chunks of a few bytes.'), id)
  }
  socket.destroySoon()
}

function answerOnSocket(socket: Socket, fault: RequestError, requestId: string): void {
  const body = JSON.stringify(errorBody(fault, requestId))
  socket.end(
    `HTTP/1.1 ${fault.status} ${fault.name}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
