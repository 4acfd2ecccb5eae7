import type { Ability, Endpoint } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import type { Method, RouteInput } from './route.ts'

// biome-ignore lint/suspicious/noExplicitAny: a page of routes holds endpoints of every shape; each line is checked where it is written
type AnyEndpoint = Endpoint<any, any, any>

export type MemberContext = Context & { member: NonNullable<Context['member']> }

/** Rows for a file that people open in a spreadsheet. */
export interface Csv {
  fileName: string
  header: readonly string[]
  rows: AsyncIterable<readonly (string | number | null)[]>
}

export interface StreamInput<E> extends RouteInput<E> {
  /** Whether the member is still signed in and may still do this: a stream outlives the moment it was opened. */
  isStillAllowed(): Promise<boolean>
  heartbeatMs: number
}

export interface PanelRoute {
  method: Method
  /** Under /panel/api/apps/<label>. */
  path: string
  ability: Ability
  endpoint: AnyEndpoint
  kind: 'json' | 'csv' | 'stream'
  /** Leaves an entry in the audit log and takes an idempotency key. */
  hasEffect: boolean
  run(ctx: MemberContext, input: StreamInput<AnyEndpoint>): Promise<unknown>
}

type Line<Answer> = <E extends AnyEndpoint>(
  path: string,
  ability: Ability,
  endpoint: E,
  run: (ctx: MemberContext, input: RouteInput<E>) => Promise<Answer>,
) => PanelRoute

function line<Answer>(method: Method, kind: PanelRoute['kind'], hasEffect: boolean): Line<Answer> {
  return (path, ability, endpoint, run) => ({
    ...{ method, path, ability, endpoint, kind, hasEffect },
    run: run as PanelRoute['run'],
  })
}

export const get: Line<unknown> = line('GET', 'json', false)
/** A question whose input is too long for a URL: it changes nothing and is not noted. */
export const ask: Line<unknown> = line('POST', 'json', false)
export const post: Line<unknown> = line('POST', 'json', true)
export const put: Line<unknown> = line('PUT', 'json', true)
export const del: Line<unknown> = line('DELETE', 'json', true)
/** Takes a file as multipart/form-data: the endpoint says so. */
export const upload: Line<unknown> = line('POST', 'json', true)
/** A file to download. */
export const csv: Line<Csv> = line('GET', 'csv', false)

/** An answer that goes on: the verb writes to the reply itself. */
export function stream<E extends AnyEndpoint>(
  path: string,
  ability: Ability,
  endpoint: E,
  run: (ctx: MemberContext, input: StreamInput<E>) => Promise<void>,
): PanelRoute {
  return { method: 'GET', path, ability, endpoint, kind: 'stream', hasEffect: false, run: run as PanelRoute['run'] }
}
