import type { Static, TSchema } from 'typebox'

/** What goes over the wire at one endpoint. Its path, scope and verb stand in the server's entry pages. */
export interface Endpoint<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
> {
  summary: string
  description?: string
  group: string
  /** The section of the specification that defines it, such as "4.5". */
  section?: string
  body?: Body
  /** The body may also be an array of up to so many bodies. */
  maxBodies?: number
  /** The body is always an array. */
  onlyBodies?: boolean
  /** The body is multipart/form-data with a file in the part "file". */
  file?: boolean
  query?: Query
  params?: Params
  answer: TSchema
  example: { body?: unknown; query?: Record<string, string>; params?: Record<string, string>; answer: unknown }
}

export function defineEndpoint<B extends TSchema, Q extends TSchema, P extends TSchema>(
  endpoint: Endpoint<B, Q, P>,
): Endpoint<B, Q, P> {
  return endpoint
}

export type BodyOf<E> = E extends { body?: infer Body } ? (Body extends TSchema ? Static<Body> : never) : never
export type QueryOf<E> = E extends { query?: infer Query } ? (Query extends TSchema ? Static<Query> : never) : never
