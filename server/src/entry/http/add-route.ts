import { unknownNamePolicy } from '@peyk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LineStream } from '#base/answers/line-stream.ts'
import { RowFile } from '#base/answers/row-file.ts'
import { SpooledText } from '#base/answers/spooled-text.ts'
import { limits } from '#base/config.ts'
import type { Context, OutwardContext } from '#base/context.ts'
import { runForApp } from '#base/store/pool/connection-scope.ts'
import { runInSpan } from '#base/trace/tracing.ts'
import { clientOfToken } from '#features/accounts/access-tokens/client-of-token.ts'
import { type AccessToken, findToken } from '#features/accounts/access-tokens/find-token.ts'
import { recordAudit } from '#features/accounts/audit/record-audit.ts'
import { sendRowFile } from './answer/csv-answer.ts'
import { describeWrite } from './answer/describe-write.ts'
import { runWrite } from './answer/run-write.ts'
import { sendLines } from './answer/send-lines.ts'
import { sendSpooled } from './answer/send-spooled.ts'
import { readToken } from './gate/authenticate.ts'
import type { OnRequest } from './gate/gate.ts'
import { isOwnMachine } from './gate/is-own-machine.ts'
import type { RegistrationLimit } from './gate/registration-limit.ts'
import type { HttpServices } from './http-services.ts'
import type { Observer } from './operations/observe.ts'
import { routeSchema } from './pages/reference.ts'
import { baseUrlOf } from './read/base-url.ts'
import { inputChecker } from './read/check-input.ts'
import { readIdempotentRequest, takesKey } from './read/idempotent-request.ts'
import type { Route } from './route.ts'

export interface RouteParts {
  services: HttpServices
  gate: (route: Route) => OnRequest
  observer: Observer
  registrations: RegistrationLimit
}

/** Puts a route behind the same steps as all others: the gate, the shape of its input, idempotency, its verb. */
export function addRoute(
  app: FastifyInstance,
  { services, gate, observer, registrations }: RouteParts,
  route: Route,
): void {
  const { config, store, log, now, external } = services
  const check = inputChecker(route.endpoint, unknownNamePolicy(route.endpoint))
  const onRequest = gate(route)
  const routeName = `${route.method} ${route.path}`
  const moreFor = inputBeside(route, services)

  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const token = request.token as AccessToken
    const ctx: OutwardContext = { app: token.app, store, now, begunAt: now(), log, external }
    const client = clientOfToken(services, token)
    if (client) {
      ctx.client = client
      ctx.admitInstallation = () =>
        registrations.take({ address: request.ip, isOwn: isOwnMachine(request) }, token.tokenId)
    } else ctx.token = { id: token.tokenId, name: token.name }
    const checked = { ...check(request, reply), baseUrl: () => baseUrlOf(request, config.publicUrl) }
    const more = moreFor?.(request)
    const input = more ? { ...checked, ...more } : checked
    // A dry run has no effect that a key could belong to, and must not take the key of the send itself.
    const isDryRun = (input as { query?: { dryRun?: boolean } }).query?.dryRun === true
    const once = takesKey(route) && !isDryRun ? readIdempotentRequest(request, routeName) : undefined
    // Client libraries get no warnings: what installed apps send cannot be changed.
    const runRoute = async (inner: OutwardContext) => {
      const answer = await route.run(inner, input)
      return client ? answer : input.unknown.addTo(answer)
    }
    if (!once && !route.isAudited) return runRoute(ctx)
    const note = (inner: Context, answer: unknown) =>
      recordAudit(inner, describeWrite({ method: route.method, path: panelPath(route.path) }, input, answer))
    return runWrite(ctx, {
      once,
      ...{ isOutward: route.isOutward, claimMs: config.durations.claimMs, reply },
      run: runRoute,
      ...(route.isAudited && { note }),
    })
  }

  app.route({
    method: route.method,
    url: route.path,
    schema: routeSchema(route),
    bodyLimit: route.endpoint.maxBodies === undefined ? limits.bodyBytes : limits.listBodyBytes,
    onRequest,
    handler: async (request, reply) => {
      const { app: owner } = request.token as AccessToken
      const work = () => run(request, reply)
      const { span } = request
      const answer = (await runForApp(owner.id, span ? () => runInSpan(span, work) : work)) ?? {}
      observer.observe(request, routeName, 200)
      const { transferMs } = config.durations
      if (answer instanceof LineStream) return sendLines(reply, answer, { store, appId: owner.id, transferMs })
      if (answer instanceof RowFile) return sendRowFile(reply, answer, { appId: owner.id, transferMs })
      return answer instanceof SpooledText ? sendSpooled(reply, answer, transferMs) : answer
    },
  })
  if (route.method !== 'GET') return
  // [requests.md#access-tokens] HEAD says whether GET would be let in, and does nothing.
  app.route({
    method: 'HEAD',
    url: route.path,
    schema: { hide: true } as object,
    onRequest,
    handler: (_request, reply) => reply.send(),
  })
}

/** What the verbs of some routes are given beside what came. */
function inputBeside({ endpoint }: Route, { config: { durations }, store }: HttpServices) {
  if (endpoint.file) return () => ({ transferMs: durations.transferMs })
  if (!endpoint.lines) return undefined
  return (request: FastifyRequest) => ({
    durations,
    isStillAllowed: async () => (await findToken(store, readToken(request))) !== undefined,
  })
}

/** What the panel calls the same change. */
function panelPath(path: string): string {
  return path.replace(/^\/api/, '')
}
