import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { SpooledText } from '#base/answers/spooled-text.ts'
import { inTime } from './in-time.ts'

/** Sends JSON that is ready; a reader who takes longer for a part of it is cut off. */
export function sendSpooled(reply: FastifyReply, text: SpooledText, transferMs: number): FastifyReply {
  reply.headers({ 'content-type': 'application/json; charset=utf-8', 'content-length': text.bytes })
  const giveUp = () => void reply.raw.destroy()
  return reply.send(Readable.from(inTime(text.read(), transferMs, giveUp), { objectMode: false }))
}
