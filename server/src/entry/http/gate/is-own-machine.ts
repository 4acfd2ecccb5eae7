import type { FastifyRequest } from 'fastify'
import { isLoopback } from './address-group.ts'

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** Whether the other end of the socket is on this machine and speaks for itself: a proxy here passes on requests of others. */
export function isOwnMachine({ raw, headers }: FastifyRequest): boolean {
  const isOurs = isLoopback(raw.socket.remoteAddress ?? '')
  return isOurs && forwarding.every((name) => headers[name] === undefined)
}
