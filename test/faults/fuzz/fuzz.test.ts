import { describe, expect, it } from 'vitest'
import { createConnectionServerForTest } from '../../helpers/connection.ts'
import { effort } from '../../helpers/runner/effort.ts'
import { Chance } from './chance.ts'
import { describeRequest } from './fuzzed-request.ts'
import { fuzzedRoutes, makeRouteRequest } from './http-requests.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { KindName } from './kinds.ts'
import { describeFailure, runKind } from './run-kind.ts'
import { seed } from './seed.ts'
import { sendHttp } from './send-http.ts'
import { prepareWorld } from './world.ts'

/** A little of everything, in the process of the test. half-million.long.test.ts has more of it. */
const service = await createConnectionServerForTest({ PEYK_RATE_FAILED_TOKENS: '1000000' })
const world = await prepareWorld(service.ctx, { baseUrl: service.baseUrl, mqttPort: service.port })

describe('broken input gets a clear answer', () => {
  it.each(fuzzedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (name, route) => {
    for (let number = 0; number < effort.fuzzedRequestsPerRoute; number++) {
      const request = makeRouteRequest(new Chance(seed, name, number), world, route)
      const answer = await sendHttp(world.baseUrl, request)
      const fault = answer && judgeAnswer(request.method, answer)
      expect(fault, `${describeRequest(request)} → ${answer?.status} ${answer?.text.slice(0, 500)}`).toBeUndefined()
    }
  })

  const kinds: [KindName, string][] = [
    ['csv', 'files of promo codes'],
    ['segments', 'rules and where-filters'],
    ['templates', 'texts with templates'],
    ['raw', 'HTTP that is spoilt'],
    ['mqtt', 'packets of the own connection'],
  ]
  it.each(kinds)('%s: %s', async (kind) => {
    const { failures } = await runKind({
      world,
      seed,
      kind,
      from: 0,
      count: effort.fuzzedRequestsOfKind,
      lanes: 8,
    })
    expect(failures.map((failure) => describeFailure(seed, failure))).toEqual([])
    const metrics = await fetch(`${service.baseUrl}/metrics`).then((answer) => answer.text())
    expect(metrics).not.toMatch(/peyk_connection_closings_total\{reason="unavailable"\} [1-9]/)
  })
})
