import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { busOf } from '#base/bus/bus.ts'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { redactTokens } from '#base/secrets/redact-tokens.ts'
import { SignInDelay } from '#features/accounts/sessions/sign-in-delay.ts'
import type { HttpServices } from '../http-services.ts'
import type { Observer } from '../operations/observe.ts'
import { panelRoutes, type SessionRoute, sessionRoutes } from '../panel.ts'
import { inputChecker } from '../read/check-input.ts'
import { addImageParser } from '../read/image-body.ts'
import { addPanelRoute } from './add-panel-route.ts'
import { PanelGate } from './panel-gate.ts'
import type { Visit } from './panel-session.ts'

const hidden = { schema: { hide: true } as object }

/** Everything under /panel/api. Only the session's cookie lets in there; access tokens are not looked at. */
export async function addPanel(app: FastifyInstance, services: HttpServices, observer: Observer): Promise<void> {
  const gate = new PanelGate(services)
  const delay = new SignInDelay(() => performance.now(), busOf(services.store))
  const parts = { services, gate, observer }
  app.decorateRequest('asMember', undefined)
  for (const route of sessionRoutes) addSessionRoute(app, { ...parts, delay }, route)
  for (const route of panelRoutes) if (!route.endpoint.file && !route.endpoint.image) addPanelRoute(app, parts, route)
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 2, fields: 20, headerPairs: 50 }, throwFileSizeLimit: true })
    for (const route of panelRoutes) if (route.endpoint.file) addPanelRoute(scope, parts, route)
  })
  await app.register(async (scope) => {
    addImageParser(scope)
    for (const route of panelRoutes) if (route.endpoint.image) addPanelRoute(scope, parts, route)
  })
  // Any other path under /panel is answered with the page.
  app.all('/panel/api/*', hidden, async ({ method, url }) => {
    throw new RequestError(
      'unknown-route',
      `There is no ${method} ${redactTokens(url.split('?', 1)[0] as string).slice(0, 200)}.`,
    )
  })
}

interface Parts {
  services: HttpServices
  gate: PanelGate
  observer: Observer
  delay: SignInDelay
}

function addSessionRoute(app: FastifyInstance, { services, gate, observer, delay }: Parts, route: SessionRoute): void {
  const check = inputChecker(route.endpoint, 'refuse')
  const url = `/panel/api${route.path}`
  app.route({
    method: route.method,
    url,
    ...hidden,
    bodyLimit: limits.packetBytes,
    onRequest: async (request) => gate.enter(request),
    handler: async (request, reply) => {
      const visit: Visit = { services, delay, request, reply, body: undefined }
      const session = route.needsSession ? await gate.getSession(request) : undefined
      const { body } = check(request, reply) as { body: unknown }
      const answer = (await route.run({ ...visit, body, ...(session && { session }) } as never)) ?? {}
      observer.observe(request, `${route.method} ${url}`, 200)
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      return answer
    },
  })
}
