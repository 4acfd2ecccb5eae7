import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import type { Logger } from '#base/log.ts'
import { Observer } from './observe.ts'

it.each([
  ['development', 'curl/8', 200, 'info'],
  ['development', 'peyk-simulator', 200, 'debug'],
  ['development', 'peyk-simulator', 503, 'warn'],
  ['production', 'curl/8', 200, 'debug'],
] as const)('in %s, a request of %s answered with %i is logged as %s', (mode, agent, status, level) => {
  const logged: string[] = []
  const write = (name: string) => (_fields: object, text: string) => logged.push(`${name} ${text}`)
  const log = { isLevelEnabled: () => true, info: write('info'), debug: write('debug'), warn: write('warn') }
  const request = { method: 'GET', url: '/api/x?token=y', headers: { 'user-agent': agent }, startedAt: 0, id: '1' }
  new Observer({ mode }, log as unknown as Logger).observe(request as unknown as FastifyRequest, 'GET /api/x', status)
  expect(logged).toEqual([expect.stringMatching(`^${level} GET /api/x ${status} in`)])
})
