import { randomUUID } from 'node:crypto'
import { type SavedSegment, show } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkDefinition } from './check-definition.ts'
import { insertSegment } from './segment-store.ts'
import { tryRecordSize } from './try-record-size.ts'

export async function createSegment(ctx: Context, input: { name: string; segment: unknown }): Promise<SavedSegment> {
  const segment = await checkDefinition(ctx, input.segment)
  const saved = await insertSegment(db(ctx), ctx.app.id, randomUUID(), { name: input.name, segment, at: ctx.now() })
  if (!saved) {
    throw new RequestError('already-exists', `A segment named ${show(input.name)} already exists.`, {
      details: { what: 'segment', name: input.name },
    })
  }
  await tryRecordSize(ctx, saved)
  return saved
}
