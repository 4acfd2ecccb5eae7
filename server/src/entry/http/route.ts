import type { Endpoint } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import type { Scope } from '../../features/accounts/scopes.ts'

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
  run(ctx: Context, input: RouteInput<AnyEndpoint>): Promise<unknown>
}

function route<E extends AnyEndpoint>(
  method: Method,
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: Context, input: RouteInput<E>) => Promise<unknown>,
): Route {
  return { method, path, scopes, endpoint, hasEffect: method !== 'GET', run: run as Route['run'] }
}

type Line = <E extends AnyEndpoint>(
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: Context, input: RouteInput<E>) => Promise<unknown>,
) => Route

export const get: Line = (...line) => route('GET', ...line)
export const getWithEffect: Line = (...line) => ({ ...route('GET', ...line), hasEffect: true })
export const post: Line = (...line) => route('POST', ...line)
export const put: Line = (...line) => route('PUT', ...line)
export const del: Line = (...line) => route('DELETE', ...line)
