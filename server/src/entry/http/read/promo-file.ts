import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitConcurrencyPerKey } from '#base/concurrency/concurrency-limit-per-key.ts'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { defaultDurations } from '#base/durations.ts'
import { RequestError } from '#base/errors.ts'
import { readKey, runOnce } from '#base/idempotency/idempotency.ts'
import { redactTokens } from '#base/secrets/redact-tokens.ts'
import type { Store } from '#base/store/store.ts'
import type { CodeReading } from '#features/promo/code-lines.ts'
import { readInTime, within } from './read-in-time.ts'
import { readPart } from './read-part.ts'
import type { UnknownNames } from './unknown-names.ts'

/** Query parameters that describe the file. */
interface Options extends CodeReading {
  mode?: 'replace' | 'add' | undefined
}

export interface PromoExchange {
  query: Options
  unknown: Pick<UnknownNames, 'takePart'>
  request: FastifyRequest
  reply: FastifyReply
  transferMs?: number | undefined
}

/** A file that is read once, and its hash when that is done. */
interface PromoFile {
  content: Readable
  key: string | undefined
  hash(): Buffer
}

type Upload<Answer> = (ctx: Context, given: Options & { file: Readable }) => Promise<Answer>

/**
 * Hands the verb the file of the part "file" [interface.md#49-upload-promo-codes-for-a-campaign]; once per idempotency
 * key [requests.md#idempotency].
 */
export async function withPromoFile<Answer>(
  ctx: Context,
  exchange: PromoExchange,
  upload: Upload<Answer>,
): Promise<Answer> {
  const { query, request, reply, transferMs = defaultDurations.transferMs } = exchange
  const options: Options = {
    mode: query.mode,
    hasHeader: query.hasHeader,
    leaveOutBadLines: query.leaveOutBadLines,
  }
  try {
    const file = await openPromoFile(exchange, options, transferMs)
    return await turnsOf(ctx.store)(ctx.app.id, async () => {
      const run = (inner: Context) => upload(inner, { ...options, file: file.content })
      if (file.key === undefined) return run(ctx)
      const route = `${request.method} ${request.routeOptions.url}`
      const { answer, isReplay } = await uploadOnce(ctx, route, file.key, file, run)
      if (isReplay) reply.header('idempotency-replayed', 'true')
      return answer as Answer
    })
  } catch (error) {
    // Who is too slow would keep us waiting for the rest, too.
    if (!isTooSlow(error)) await discardRest(request)
    throw error
  }
}

class FileUnread extends Error {}

/** What the file is compared by is known when it has been read, which a repeated one is without being stored. */
async function uploadOnce(
  ctx: Context,
  route: string,
  key: string,
  file: PromoFile,
  run: (inner: Context) => Promise<unknown>,
) {
  const unread = {
    route,
    key,
    get bodyHash() {
      return file.hash()
    },
  }
  try {
    return await runOnce(ctx, unread, run)
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error
    await readToEnd(file.content)
    return await runOnce(ctx, { route, key, bodyHash: file.hash() }, () => {
      throw new RequestError(
        'still-running',
        'The answer to this idempotency key was just forgotten. Send the file again.',
      )
    })
  }
}

async function readToEnd(content: Readable): Promise<void> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limits.promoFileBytes)
      throw new RequestError('too-large', 'The file is larger than any that was taken before.')
  }
}

async function openPromoFile(
  { request, unknown }: PromoExchange,
  options: Options,
  transferMs: number,
): Promise<PromoFile> {
  if (!request.isMultipart() || !isPlain(request.headers['content-encoding'])) {
    throw new RequestError(
      'unsupported-type',
      'Send the CSV file as multipart/form-data, in the part "file", without compression.',
    )
  }
  if (request.raw.destroyed) throw brokenOff()
  const parts = request.parts({
    // One byte more than is taken, so that whoever reads can see that there is more.
    limits: { fileSize: limits.promoFileBytes + 1 },
    isPartAFile: (name, type, fileName) =>
      name === 'file' || type === 'application/octet-stream' || fileName !== undefined,
  })
  const fields: { idempotencyKey?: unknown } = {}
  const hash = createHash('sha256').update(JSON.stringify(request.params) + writeOptions(options))
  const ignore = (field: string, value: unknown) => {
    unknown.takePart(field)
    hash.update(JSON.stringify([field, value]))
  }
  const first = nextFile(parts, request, (field, value) => {
    if (field === 'idempotencyKey') fields.idempotencyKey = value
    else ignore(field, value)
  })
  const part = await within(first, transferMs, transferMs)
  if (!part) throw new RequestError('invalid-file', 'The part "file" with the CSV file is missing.')
  if (part.fieldname !== 'file') {
    const name = redactTokens(String(part.fieldname ?? '')).slice(0, 80)
    throw new RequestError('invalid-file', `The file came in the part "${name}"; expected the part "file".`)
  }
  const key = readKey(request.headers['idempotency-key'], fields)
  let digest: Buffer | undefined
  async function* read(file: MultipartFile) {
    for await (const chunk of readInTime(readFile(file, parts, { request, ignore }), transferMs)) {
      if (key !== undefined) hash.update(chunk)
      yield chunk
    }
    digest = hash.digest()
  }
  return {
    content: Readable.from(read(part), { objectMode: false }),
    key,
    hash: () => {
      if (!digest) throw new FileUnread()
      return digest
    },
  }
}

/** Nothing when none is given, as before there were any: keys of then are known still. */
function writeOptions(options: Options): string {
  const given = JSON.stringify(options)
  return given === '{}' ? '' : given
}

/** To the end of the whole body, so that what follows the file is known before anything is committed. */
async function* readFile(
  part: MultipartFile,
  parts: AsyncIterator<Multipart>,
  { request, ignore }: { request: FastifyRequest; ignore(field: string, value: unknown): void },
): AsyncGenerator<Buffer> {
  try {
    yield* part.file
  } catch (error) {
    throw readFault(error)
  }
  const second = await nextFile(parts, request, (field, value) => {
    if (field === 'idempotencyKey')
      throw new RequestError('invalid-request', 'The part "idempotencyKey" must come before the file.')
    ignore(field, value)
  })
  if (second)
    throw new RequestError('invalid-file', 'There are two files in the body; expected one, in the part "file".')
}

async function nextFile(
  parts: AsyncIterator<Multipart>,
  { raw }: FastifyRequest,
  onField: (name: string, value: unknown) => void,
): Promise<MultipartFile | undefined> {
  for (;;) {
    const { value: part, done } = await readPart(parts, raw).catch((error) => Promise.reject(readFault(error)))
    if (done) return undefined
    if (part.type === 'file') return part
    onField(part.fieldname, part.value)
  }
}

function readFault(error: unknown): RequestError {
  if ((error as { statusCode?: number }).statusCode !== 413) return brokenOff()
  return new RequestError('too-large', 'The multipart body has too many parts.')
}

function brokenOff() {
  return new RequestError('invalid-file', 'The multipart body is malformed, or ends before its last boundary.')
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding === 'identity'
}

const uploadsPerApp = 2
const turns = new WeakMap<Store, ReturnType<typeof limitConcurrencyPerKey<number>>>()

/** Each upload holds a connection of the pool for as long as the client sends: the others must find some left. */
function turnsOf(store: Store) {
  const known =
    turns.get(store) ?? limitConcurrencyPerKey<number>({ ofEach: uploadsPerApp, ofAll: uploadsAtOnce(store) })
  turns.set(store, known)
  return known
}

function uploadsAtOnce({ poolSize }: Store): number {
  return Math.max(uploadsPerApp, poolSize >> 1)
}

function isTooSlow(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'request-timeout'
}

/** A client that is still sending reads no answer, and would find its connection cut: its rest is let in, up to a limit. */
async function discardRest({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe()
  if (raw.readableEnded || raw.destroyed) return
  let left: number = limits.promoFileBytes
  await new Promise<void>((resolve) => {
    raw.once('end', resolve).once('close', resolve)
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
    raw.resume()
  })
}
