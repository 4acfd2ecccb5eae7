import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../base/errors.ts'

/** The stream of the part "file" [spec 4.9]; nothing of it is read yet. */
export async function openPromoFile(request: FastifyRequest): Promise<Readable> {
  if (!request.isMultipart()) {
    throw new RequestError('unsupported-type', 'Send the CSV file as multipart/form-data, in the part "file".')
  }
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    if (part.fieldname === 'file') return part.file
    part.file.resume()
    throw new RequestError(
      'invalid-file',
      `The file came in the part "${part.fieldname.slice(0, 80)}"; expected the part "file".`,
    )
  }
  throw new RequestError('invalid-file', 'The part "file" with the CSV file is missing.')
}
