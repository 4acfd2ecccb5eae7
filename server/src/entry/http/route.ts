import type { Endpoint } from '@peyk/contract'
import type { Context, OutwardContext } from '../../base/context.ts'
import type { Scope } from '../../features/accounts/tokens/scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: a page of routes holds endpoints of every shape; each line is checked where it is written
type AnyEndpoint = Endpoint<any, any, any>

export interface RouteInput<E> {
  body: E extends Endpoint<infer Body, infer _Q, infer _P> ? StaticOf<Body> : never
  query: E extends Endpoint<infer _B, infer Query, infer _P> ? StaticOf<Query> : never
  params: Record<string, string>
  /** The multipart request itself and its reply, for the endpoints that take a file. */
  request: import('fastify').FastifyRequest
  reply: import('fastify').FastifyReply
  /** For the endpoints that take a file: how long the service waits for the next part of it. */
  transferMs?: number | undefined
}

type StaticOf<S> = S extends import('typebox').TSchema ? import('typebox').Static<S> : never

export interface Route {
  method: Method
  path: string
  /** Any of these lets a token in. `server` always does, and `read` on a GET that changes nothing. */
  scopes: readonly Scope[]
  endpoint: AnyEndpoint
  /** A GET that changes something: HEAD must not run it, and `read` is not enough. */
  hasEffect: boolean
  /** The verb calls outwards: it runs in no transaction, also with an idempotency key. */
  isOutward: boolean
  /** A change of the app's settings: it leaves an entry in the audit log. */
  isAudited: boolean
  run(ctx: OutwardContext, input: RouteInput<AnyEndpoint>): Promise<unknown>
}

type Line<C> = <E extends AnyEndpoint>(
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: C, input: RouteInput<E>) => Promise<unknown>,
) => Route

function line<C>(method: Method, isOutward = false): Line<C> {
  return (path, scopes, endpoint, run) => ({
    ...{ method, path, scopes, endpoint, hasEffect: method !== 'GET', isOutward, isAudited: false },
    run: run as Route['run'],
  })
}

export const get = line<OutwardContext>('GET')
export const getWithEffect: Line<OutwardContext> = (...given) => ({ ...get(...given), hasEffect: true })
export const post = line<Context>('POST')
export const put = line<Context>('PUT')
/** Takes no idempotency key, and so runs in no transaction. */
export const del = line<OutwardContext>('DELETE')
export const postOutward = line<OutwardContext>('POST', true)
export const putOutward = line<OutwardContext>('PUT', true)

export function audited(route: Route): Route {
  return { ...route, isAudited: true }
}
