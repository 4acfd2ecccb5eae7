import type { FastifyRequest } from 'fastify'

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** Whether the other end of the socket is on this machine and speaks for itself: a proxy here passes on requests of others. */
export function isOwnMachine({ raw, headers }: FastifyRequest): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(raw.socket.remoteAddress ?? '')
  return isLoopback && forwarding.every((name) => headers[name] === undefined)
}
