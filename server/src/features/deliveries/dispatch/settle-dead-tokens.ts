import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { raiseAlert } from '../../accounts/alerts/raise-alert.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { detachTokens } from '../../installations/device-tokens/detach-tokens.ts'
import { markUninstalled } from '../../installations/uninstalls/mark-uninstalled.ts'
import { isForgottenInstallation } from '../../installations/users/forgotten-users.ts'
import type { ProviderName } from '../provider.ts'
import { hintsAtWrongEnvironment } from '../providers/apns/read-apns-answer.ts'
import type { AnswerCounts } from '../senders/recent-answers.ts'

export interface DeadToken {
  installationNo: number
  token: string
  detail: string
}

/** What a provider said of the tokens of one batch. */
export interface TokenAnswers {
  provider: ProviderName
  answered: number
  dead: readonly DeadToken[]
  foreign: readonly { installationNo: number; token: string }[]
}

const fewestToDoubt = 10
const believableShare = 1 / 5

/** So many dead at once are more likely a fault of the provider's or ours than people who all left. */
export function isDoubtful({ answered, dead }: AnswerCounts): boolean {
  return dead >= fewestToDoubt && dead > answered * believableShare
}

/**
 * Marks installations with dead tokens as uninstalled; in doubt it holds that back and tells the operator. `recent` is
 * what was said lately, these answers among it.
 */
export async function settleDeadTokens(ctx: Context, answers: TokenAnswers, recent?: AnswerCounts): Promise<void> {
  const { provider, dead, foreign } = answers
  const own = { answered: answers.answered, dead: dead.length }
  const doubted = [own, recent ?? own].find(isDoubtful)
  await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    if (foreign.length > 0) await detachTokens(inner, { tokens: foreign })
    if (dead.length === 0) return
    if (!doubted) {
      await markUninstalled(inner, {
        installations: dead.map(({ installationNo, token }) => ({ installationNo, deviceToken: token })),
      })
      return
    }
    await holdUninstalls(inner, provider, dead)
    await raiseAlert(inner, {
      kind: 'mass-invalidation',
      subject: provider,
      text: `${provider} called ${doubted.dead} of ${doubted.answered} tokens dead at once. Their installations are not removed until you say so: look at the credentials first, then apply or discard what is held.`,
      details: { ...doubted },
    })
    const badTokens = dead.filter(({ detail }) => hintsAtWrongEnvironment({ kind: 'gone', detail })).length
    if (provider === 'apns' && badTokens > dead.length / 2) {
      await raiseAlert(inner, {
        kind: 'wrong-environment',
        subject: provider,
        text: 'Apple refused most tokens as BadDeviceToken: they are probably from another environment (sandbox or production) than the credentials.',
      })
      await pauseProvider(inner, {
        provider,
        reason: 'Apple refused most tokens as BadDeviceToken; the environment of the credentials is probably wrong.',
      })
    }
  })
}

async function holdUninstalls(
  ctx: Context & { tx: NonNullable<Context['tx']> },
  provider: ProviderName,
  dead: readonly DeadToken[],
): Promise<void> {
  const sorted = dead.toSorted((a, b) => a.installationNo - b.installationNo)
  await ctx.tx.query(sql`
    insert into held_uninstalls (app_id, provider, installation_no, device_token, held_at)
    select ${ctx.app.id}, ${provider}, installation_no, device_token, ${ctx.now()}
    from ${unnestRows(sorted, 'd', {
      installation_no: ['bigint', ({ installationNo }) => installationNo],
      device_token: ['text', ({ token }) => token],
    })}
    where not ${isForgottenInstallation(sql`${ctx.app.id}::int`, sql`d.installation_no`)}
    on conflict (app_id, provider, installation_no) do update set device_token = excluded.device_token, held_at = excluded.held_at`)
}
