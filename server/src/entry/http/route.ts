import type { AnswerOf, AnyEndpoint, BodyOf, ParamsOf, QueryOf } from '@peyk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LineStream } from '#base/answers/line-stream.ts'
import type { RowFile } from '#base/answers/row-file.ts'
import type { SpooledText } from '#base/answers/spooled-text.ts'
import type { Context, OutwardContext } from '#base/context.ts'
import type { Durations } from '#base/durations.ts'
import type { Scope } from '#features/accounts/access-tokens/scopes.ts'
import type { UnknownNames } from './read/unknown-names.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface RouteInput<E> {
  body: BodyOf<E>
  query: QueryOf<E>
  params: ParamsOf<E>
  /** The multipart request itself and its reply, for the endpoints that take a file. */
  request: FastifyRequest
  reply: FastifyReply
  /** Names in the request that the endpoint does not know. */
  unknown: UnknownNames
  /** For the endpoints that take a file: how long the service waits for the next part of it. */
  transferMs?: number | undefined
  /** Under which others reach the service. */
  baseUrl(): string
}

export interface LinesInput<E> extends RouteInput<E> {
  durations: Durations
  /** Whether the token still lets it in: an answer that goes on outlives the moment it was asked for. */
  isStillAllowed(): Promise<boolean>
}

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
  /** The same as another route, whose place in the reference it leaves to it. */
  isAlias: boolean
  run(ctx: OutwardContext, input: RouteInput<AnyEndpoint>): Promise<unknown>
}

type Line<C> = <E extends AnyEndpoint>(
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: C, input: RouteInput<E>) => Promise<AnswerOf<E> | SpooledText>,
) => Route

function line<C>(method: Method, isOutward = false): Line<C> {
  return (path, scopes, endpoint, run) => ({
    ...{ method, path, scopes, endpoint, hasEffect: method !== 'GET', isOutward, isAudited: false, isAlias: false },
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

/** Its answer is lines, and may go on for ever: the endpoint says so. */
export function lines<E extends AnyEndpoint>(
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: OutwardContext, input: LinesInput<E>) => Promise<LineStream>,
): Route {
  return get(path, scopes, endpoint, run as unknown as Parameters<typeof get<E>>[3])
}

/** Its answer is a file: the endpoint says so. */
export function download<E extends AnyEndpoint>(
  path: string,
  scopes: readonly Scope[],
  endpoint: E,
  run: (ctx: OutwardContext, input: RouteInput<E>) => Promise<RowFile>,
): Route {
  return get(path, scopes, endpoint, run as unknown as Parameters<typeof get<E>>[3])
}

/** Another path of the same endpoint: it is served, and only named in the reference. */
export function alias(route: Route): Route {
  return { ...route, isAlias: true }
}

export function audited(route: Route): Route {
  return { ...route, isAudited: true }
}
