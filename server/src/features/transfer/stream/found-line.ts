import type { StreamLine, StreamType } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import type { Range } from './place.ts'

type Fields<Line> = Line extends { type: StreamType } ? Omit<Line, 'type' | 'time' | 'cursor'> : never

/** A line to be, and its place among those of its type. */
export interface FoundLine {
  us: number
  key: string
  fields: Fields<StreamLine>
}

/** The first ones in a range, in the order of time and key. */
export type ReadLines = (ctx: Context, range: Range, limit: number) => Promise<FoundLine[]>
