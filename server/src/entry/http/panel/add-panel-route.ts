import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RowFile } from '#base/answers/row-file.ts'
import { SpooledText } from '#base/answers/spooled-text.ts'
import { limits } from '#base/config.ts'
import { runForApp } from '#base/store/pool/connection-scope.ts'
import { runInSpan } from '#base/trace/tracing.ts'
import { recordAudit } from '#features/accounts/audit/record-audit.ts'
import { sendCsv, sendRowFile } from '../answer/csv-answer.ts'
import { describeWrite } from '../answer/describe-write.ts'
import { runWrite } from '../answer/run-write.ts'
import { sendSpooled } from '../answer/send-spooled.ts'
import type { HttpServices } from '../http-services.ts'
import type { Observer } from '../operations/observe.ts'
import { baseUrlOf } from '../read/base-url.ts'
import { inputChecker } from '../read/check-input.ts'
import { readIdempotentRequest, takesKey } from '../read/idempotent-request.ts'
import type { PanelGate } from './panel-gate.ts'
import type { Csv, OutwardMemberContext, PanelRoute, StreamInput } from './panel-route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    asMember: OutwardMemberContext | undefined
  }
}

interface Parts {
  services: HttpServices
  gate: PanelGate
  observer: Observer
}

type Input = StreamInput<PanelRoute['endpoint']>

/** Puts a route of the panel behind the same steps as all others: the gate, the shape of its input, its verb, the audit log. */
export function addPanelRoute(app: FastifyInstance, { services, gate, observer }: Parts, route: PanelRoute): void {
  const check = inputChecker(route.endpoint, 'refuse')
  const url = `/panel/api/apps/:app${route.path}`
  const routeName = `${route.method} ${url}`

  const runWithEffect = async (ctx: OutwardMemberContext, input: Input, reply: FastifyReply): Promise<unknown> => {
    return runWrite(ctx, {
      once: takesKey(route) ? readIdempotentRequest(input.request, routeName) : undefined,
      ...{ isOutward: route.isOutward, claimMs: services.config.durations.claimMs, reply },
      run: (inner) => route.run(inner, input),
      note: (inner, answer) => recordAudit(inner, describeWrite(route, input, answer)),
    })
  }

  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const ctx = request.asMember as OutwardMemberContext
    const checked = check(request, reply)
    const { publicUrl, durations } = services.config
    const { heartbeatMs, transferMs } = durations
    const baseUrl = () => baseUrlOf(request, publicUrl)
    // Which app it is about is in the context.
    const { app: _, ...params } = checked.params as Record<string, unknown>
    const isStillAllowed = () => isAllowed(gate, request, route)
    const input = { ...checked, params, heartbeatMs, transferMs, baseUrl, isStillAllowed }
    const isDryRun = (input.query as { dryRun?: boolean } | undefined)?.dryRun === true
    if (route.hasEffect && !isDryRun) return runWithEffect(ctx, input, reply)
    const answer = await route.run(ctx, input)
    // Nothing has left yet: what cannot be noted does not leave. Of a user's own data nothing is noted.
    if (route.ability === 'export')
      await recordAudit(
        { ...ctx, store: services.store },
        describeWrite(route, input, route.kind === 'file' ? answer : undefined),
      ).catch(async (error) => {
        if (answer instanceof SpooledText) await answer.close()
        throw error
      })
    return answer
  }

  app.route({
    method: route.method,
    url,
    schema: { hide: true } as object,
    bodyLimit: route.endpoint.maxBodies === undefined ? limits.bodyBytes : limits.listBodyBytes,
    onRequest: async (request) => {
      gate.enter(request)
      request.asMember = await gate.admit(request, route)
    },
    handler: async (request, reply) => {
      const { app: owner } = request.asMember as OutwardMemberContext
      const work = () => run(request, reply)
      const { span } = request
      const answer = (await runForApp(owner.id, span ? () => runInSpan(span, work) : work)) ?? {}
      observer.observe(request, routeName, 200)
      if (route.kind === 'stream') return reply
      const { transferMs } = services.config.durations
      const reader = { appId: owner.id, transferMs }
      if (answer instanceof RowFile) return sendRowFile(reply, answer, reader)
      if (route.kind === 'file') return sendCsv(reply, answer as Csv, reader)
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      return answer instanceof SpooledText ? sendSpooled(reply, answer, transferMs) : answer
    },
  })
}

async function isAllowed(gate: PanelGate, request: FastifyRequest, route: PanelRoute): Promise<boolean> {
  return gate.admit(request, route).then(
    () => true,
    () => false,
  )
}
