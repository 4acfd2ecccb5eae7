import type { Ability, AnswerOf, AnyEndpoint } from '@peyk/contract'
import type { Cell, RowFile } from '#base/answers/row-file.ts'
import type { SpooledText } from '#base/answers/spooled-text.ts'
import type { Context, OutwardContext } from '#base/context.ts'
import type { Method, RouteInput } from '../route.ts'

export type MemberContext = Context & { member: NonNullable<Context['member']> }
export type OutwardMemberContext = OutwardContext & MemberContext

/** Rows for a file that people open in a spreadsheet. */
export interface Csv {
  fileName: string
  header: readonly string[]
  rows: AsyncIterable<readonly Cell[]>
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
  kind: 'json' | 'file' | 'stream'
  /** Leaves an entry in the audit log and takes an idempotency key. */
  hasEffect: boolean
  /** The verb calls outwards: it runs in no transaction, also with an idempotency key. */
  isOutward: boolean
  /** The answer may be some seconds old: a replica may give it. */
  mayLag?: boolean
  run(ctx: OutwardMemberContext, input: StreamInput<AnyEndpoint>): Promise<unknown>
}

type Line<C> = <E extends AnyEndpoint>(
  path: string,
  ability: Ability,
  endpoint: E,
  run: (ctx: C, input: RouteInput<E>) => Promise<AnswerOf<E> | SpooledText>,
) => PanelRoute

function line<C>(method: Method, hasEffect: boolean, isOutward = false): Line<C> {
  return (path, ability, endpoint, run) => ({
    ...{ method, path, ability, endpoint, kind: 'json', hasEffect, isOutward },
    run: run as PanelRoute['run'],
  })
}

export const get = line<OutwardMemberContext>('GET', false)
/** Of what was counted or went before: the answer may be some seconds old. */
export const look: Line<OutwardMemberContext> = (...parts) => ({ ...get(...parts), mayLag: true })
/** A question whose input is too long for a URL: it changes nothing and is not noted. */
export const ask = line<OutwardMemberContext>('POST', false)
export const post = line<MemberContext>('POST', true)
export const put = line<MemberContext>('PUT', true)
/** Saves itself while somebody types: it is not noted, and the same again has no second effect. */
export const keep = line<OutwardMemberContext>('PUT', false)
/** Takes no idempotency key, and so runs in no transaction. */
export const del = line<OutwardMemberContext>('DELETE', true)
export const postOutward = line<OutwardMemberContext>('POST', true, true)
export const putOutward = line<OutwardMemberContext>('PUT', true, true)
/** Takes a file as multipart/form-data: the endpoint says so. */
export const upload = line<MemberContext>('POST', true)

/** A file to download. */
export function file<E extends AnyEndpoint>(
  path: string,
  ability: Ability,
  endpoint: E,
  run: (ctx: OutwardMemberContext, input: RouteInput<E>) => Promise<Csv | RowFile>,
): PanelRoute {
  return {
    ...{ method: 'GET', path, ability, endpoint, kind: 'file', hasEffect: false, isOutward: false, mayLag: true },
    run: run as PanelRoute['run'],
  }
}

/** An answer that goes on: the verb writes to the reply itself. */
export function stream<E extends AnyEndpoint>(
  path: string,
  ability: Ability,
  endpoint: E,
  run: (ctx: MemberContext, input: StreamInput<E>) => Promise<void>,
): PanelRoute {
  return {
    ...{ method: 'GET', path, ability, endpoint, kind: 'stream', hasEffect: false, isOutward: false },
    run: run as PanelRoute['run'],
  }
}
