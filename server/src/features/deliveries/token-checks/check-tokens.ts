import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { listCredentials } from '../../accounts/providers/list-credentials.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import type { StoredProvider } from '../../accounts/providers/stored-provider.ts'
import { type DeadToken, settleDeadTokens } from '../dispatch/settle-dead-tokens.ts'
import type { Outcome, Provider, ProviderName } from '../provider.ts'
import { openApnsTokens } from '../providers/apns/apns-tokens.ts'
import { openStoredProvider } from '../providers/open-stored-provider.ts'
import { TokenBucket } from '../senders/token-bucket.ts'
import {
  beginPass,
  endPass,
  listUncheckedTokens,
  movePass,
  type Pass,
  type UncheckedToken,
} from './check-tokens-store.ts'

type Job = Pick<Context, 'store' | 'now' | 'log' | 'external'> & { signal?: AbortSignal }

/** Web push cannot be asked without showing something: sends alone tell. */
const checkable = ['fcm', 'apns'] as const satisfies readonly ProviderName[]
/** A million in 20 minutes takes 834 a second; the rest of the quota is left to messages. */
const checksPerSecond = 2_000
const inFlight = 100
const tokensPerLook = 20_000
const tokensPerStep = 500
const longestWaitMs = 60_000

/** Once a day: which installations are gone. Safe to repeat; a pass that was cut off goes on where it stood. */
export async function checkTokens(job: Job): Promise<void> {
  const apps = await job.store.query<{ app_id: number; label: string }>(sql`select app_id, label from apps`)
  const stored = await listCredentials(job, { appIds: apps.map((app) => app.app_id) })
  const apnsTokens = openApnsTokens({ store: job.store, secretBox: job.external.secretBox, log: job.log })
  for (const { app_id: id, label } of apps) {
    for (const each of stored) {
      if (each.appId !== id || !isCheckable(each) || job.signal?.aborted) continue
      const provider = openStoredProvider({ ...job, apnsTokens }, each)
      if (!provider) continue
      try {
        await checkProvider({ ...job, app: { id, label } }, provider, each.version)
      } finally {
        await provider.close()
      }
    }
  }
}

function isCheckable(stored: StoredProvider): stored is StoredProvider<(typeof checkable)[number]> {
  return (checkable as readonly string[]).includes(stored.provider)
}

async function checkProvider(ctx: Context & Pick<Job, 'signal'>, provider: Provider, version: string): Promise<void> {
  const pass: Pass = { appId: ctx.app.id, provider: provider.name, on: ctx.now().toISOString().slice(0, 10) }
  let after = await beginPass(ctx.store, pass)
  if (after === undefined) return
  const bucket = new TokenBucket(checksPerSecond, performance.now())
  for (;;) {
    const tokens = await listUncheckedTokens(ctx.store, pass, { after, at: ctx.now(), limit: tokensPerLook })
    for (let start = 0; start < tokens.length; start += tokensPerStep) {
      const step = tokens.slice(start, start + tokensPerStep)
      const { answered, dead, pausedBecause } = await askAll(ctx, provider, step, bucket)
      if (pausedBecause !== undefined) {
        await pauseProvider(ctx, { provider: provider.name, reason: pausedBecause, version })
        return
      }
      // A provider that is away is asked again at the next turn: the other apps do not wait for it.
      if (ctx.signal?.aborted || answered < step.length / 2) return
      await settleDeadTokens(ctx, { provider: provider.name, answered, dead, foreign: [] })
      after = step.at(-1)?.installation_no as number
      await movePass(ctx.store, pass, { upTo: after, checked: step.length, gone: dead.length })
    }
    if (tokens.length < tokensPerLook) break
  }
  const done = await endPass(ctx.store, pass, ctx.now())
  ctx.log.info({ app: ctx.app.label, provider: provider.name, ...done }, 'checked the tokens of a day')
}

/** A few at a time. `answered`: of so many something is known now; the others are left for tomorrow. */
async function askAll(
  ctx: Pick<Job, 'signal'>,
  provider: Provider,
  tokens: readonly UncheckedToken[],
  bucket: TokenBucket,
): Promise<{ answered: number; dead: DeadToken[]; pausedBecause: string | undefined }> {
  const dead: DeadToken[] = []
  let answered = 0
  let pausedBecause: string | undefined
  let next = 0
  const ask = async () => {
    while (next < tokens.length && pausedBecause === undefined && !ctx.signal?.aborted) {
      const token = tokens[next++] as UncheckedToken
      const outcome = await askPatiently(ctx, provider, token, bucket)
      if (outcome.kind === 'paused') pausedBecause = outcome.detail
      if (outcome.kind !== 'later' && outcome.kind !== 'unknown') answered++
      if (outcome.kind !== 'gone') continue
      dead.push({ installationNo: token.installation_no, token: token.device_token, detail: outcome.detail })
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlight, tokens.length) }, ask))
  return { answered, dead, pausedBecause }
}

async function askPatiently(
  { signal }: Pick<Job, 'signal'>,
  provider: Provider,
  { device_token, token_changed_at }: UncheckedToken,
  bucket: TokenBucket,
): Promise<Outcome> {
  const wait = (ms: number) => delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
  while (!bucket.take(performance.now())) {
    if (signal?.aborted) return { kind: 'later', retryAfterMs: 0, isForAll: false, detail: 'the check was stopped' }
    await wait(bucket.msUntilNext(performance.now()))
  }
  const check = () => provider.checkToken?.(device_token, token_changed_at) as Promise<Outcome>
  const outcome = await check()
  if (outcome.kind !== 'later' || outcome.retryAfterMs > longestWaitMs || signal?.aborted) return outcome
  if (outcome.isQuota) bucket.slowDown(performance.now())
  await wait(outcome.retryAfterMs)
  return signal?.aborted ? outcome : check()
}
