import type { Static, TSchema } from 'typebox'

/** What goes over the wire at one endpoint. Its path, scope and verb stand in the server's entry pages. */
export interface Endpoint<
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  summary: string
  description?: string
  group: string
  /** The section of docs/reference/interface.md that defines it, such as "45-track-an-event". */
  section?: string
  body?: Body
  /** The body may also be an array of up to so many bodies. */
  maxBodies?: number
  /** The body is always an array. */
  onlyBodies?: boolean
  /** The body is multipart/form-data with a file in the part "file". */
  file?: boolean
  /** The body is an image, as it is. */
  image?: boolean
  /** The answer is a line of JSON for each thing, and may go on for ever; `answer` is one line. */
  lines?: boolean
  /** The answer is a file with a row for each thing; `answer` is one of them. */
  download?: boolean
  query?: Query
  /** The variable parts of the path; every one of them stands here. */
  params?: Params
  answer: Answer
  example: { body?: unknown; query?: Record<string, string>; params?: Record<string, string>; answer: unknown }
}

// biome-ignore lint/suspicious/noExplicitAny: endpoints of every shape
export type AnyEndpoint = Endpoint<any, any, any, any>

export function defineEndpoint<B extends TSchema, Q extends TSchema, P extends TSchema, A extends TSchema>(
  endpoint: Endpoint<B, Q, P, A>,
): Endpoint<B, Q, P, A> {
  return endpoint
}

export type BodyOf<E> = E extends { body?: infer Body } ? StaticOf<Body> : never
export type QueryOf<E> = E extends { query?: infer Query } ? StaticOf<Query> : never
export type ParamsOf<E> = E extends { params?: infer Params } ? StaticOf<Params> : never
export type AnswerOf<E> = E extends { answer: infer Answer } ? StaticOf<Answer> : never

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : never
