import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, db } from '../context.ts'
import { RequestError } from '../errors.ts'
import { isStoreAway } from '../store/store-error.ts'

export interface IdempotentRequest {
  route: string
  key: string
  bodyHash: Buffer
}

export interface IdempotentAnswer {
  answer: unknown
  isReplay: boolean
}

/**
 * [requests.md#idempotency] The key is stored in the transaction of the effect, so there is never one without the
 * other. An advisory lock, which PostgreSQL drops with the connection, marks a key as running: a crash leaves nothing
 * to clean up.
 */
export async function runOnce(
  ctx: Context,
  request: IdempotentRequest,
  run: (ctx: Context) => Promise<unknown>,
): Promise<IdempotentAnswer> {
  try {
    return await ctx.store.transaction(async (tx) => {
      const lock = createHash('sha256')
        .update(`${ctx.app.id}\0${request.route}\0${request.key}`)
        .digest()
        .readBigInt64BE()
      const [locked] = await tx.query<{ locked: boolean }>(sql`select pg_try_advisory_xact_lock(${lock}) as locked`)
      if (!locked?.locked) throw stillRunning()
      const earlier = await findAnswer({ ...ctx, tx }, request)
      if (earlier) return earlier
      const answer = await run({ ...ctx, tx })
      await keepAnswer({ ...ctx, tx }, request, answer)
      return { answer, isReplay: false }
    })
  } catch (error) {
    if (!isStoreAway(error)) throw error
    // The connection was lost: whether before or after the commit, the key knows.
    const committed = await findAnswer(ctx, request).catch(() => undefined)
    if (committed) return { ...committed, isReplay: false }
    throw error
  }
}

export function stillRunning(): RequestError {
  return new RequestError('still-running', 'A request with this idempotency key is still running.', {
    retryAfterSeconds: 1,
  })
}

export async function keepAnswer(ctx: Context, request: IdempotentRequest, answer: unknown): Promise<void> {
  await db(ctx).query(sql`
    insert into idempotency_keys (app_id, route, key, body_hash, answer)
    values (${ctx.app.id}, ${request.route}, ${request.key}, ${request.bodyHash}, ${JSON.stringify(sealSecret(ctx, answer) ?? null)})`)
}

export async function findAnswer(ctx: Context, request: IdempotentRequest): Promise<IdempotentAnswer | undefined> {
  const [row] = await db(ctx).query<{ body_hash: Buffer; answer: unknown; is_forgotten: boolean }>(sql`
    select body_hash, answer, is_forgotten from idempotency_keys
    where app_id = ${ctx.app.id} and route = ${request.route} and key = ${request.key}`)
  if (!row) return undefined
  if (!row.body_hash.equals(request.bodyHash)) {
    throw new RequestError('key-reused', 'This idempotency key was used before with another body.')
  }
  if (row.is_forgotten) {
    throw new RequestError('not-found', 'This request was carried out before, for a user who has been deleted since.')
  }
  return { answer: openSecret(ctx, row.answer), isReplay: true }
}

const secretNames = ['secret', 'identitySecret'] as const

/** A secret that is shown once, in the answer that made it, is not kept in the clear. */
function sealSecret({ external }: Context, answer: unknown): unknown {
  if (!isObject(answer) || Array.isArray(answer)) return answer
  const sealed = { ...answer }
  for (const name of secretNames) {
    const secret = answer[name]
    if (typeof secret === 'string') sealed[name] = { sealed: external.secretBox.seal(secret).toString('base64') }
  }
  return sealed
}

function openSecret({ external }: Context, answer: unknown): unknown {
  if (!isObject(answer) || Array.isArray(answer)) return answer
  const opened = { ...answer }
  for (const name of secretNames) {
    const secret = answer[name]
    if (isObject(secret) && typeof secret.sealed === 'string')
      opened[name] = external.secretBox.open(Buffer.from(secret.sealed, 'base64'))
  }
  return opened
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const maxKeyLength = 255

export function readKey(header: unknown, body: unknown): string | undefined {
  const inBody =
    typeof body === 'object' && body !== null ? (body as { idempotencyKey?: unknown }).idempotencyKey : undefined
  const key = header ?? inBody
  if (key === undefined || key === null) return undefined
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength || /[\0\r\n]/.test(key)) {
    throw new RequestError('invalid-request', `The idempotency key must be a text of 1 to ${maxKeyLength} characters.`)
  }
  return key
}

export function hashBody(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
