import type { FastifyReply, FastifyRequest } from 'fastify'

/** Browsers keep a __Host- cookie only from https, and without Secure only one of another name from http. */
function cookieName(request: FastifyRequest): string {
  return request.protocol === 'https' ? '__Host-peyk' : 'peyk'
}

/** Undefined when there is none, or when there are two: then somebody else set one of them. */
export function readSessionKey(request: FastifyRequest): string | undefined {
  const name = cookieName(request)
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  const key = found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
  return key && /^[\w-]{43}$/.test(key) ? key : undefined
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, key: string): void {
  // Gone at the latest with the session itself, whose end the server knows.
  reply.header('set-cookie', `${cookieName(request)}=${key}; ${flags(request)}; Max-Age=${60 * 86_400}`)
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${cookieName(request)}=; ${flags(request)}; Max-Age=0`)
}

function flags(request: FastifyRequest): string {
  return `Path=/; HttpOnly; SameSite=Strict${request.protocol === 'https' ? '; Secure' : ''}`
}
