import type { InstallationWithUser } from '@peyk/contract'
import sql, { empty, type Sql } from 'sql-template-tag'
import { limits } from '#base/config.ts'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isHeld } from '../connections/is-connected-now.ts'
import { readInstallations } from '../installations-store.ts'
import { isUnverifiedClient } from '../register/is-unverified-client.ts'
import { showInstallation } from '../register/show-installation.ts'

interface Extras {
  installation_no: number
  tags: { tag: string; value: string | null }[]
  user_attributes: Record<string, unknown>
  own_attributes: Record<string, unknown>
  /** Null: not connected. */
  is_open: boolean | null
}

const perRead = 50

/** Installations with what is known of their users, in the order of these numbers. */
export async function readInstallationAnswers(
  ctx: Context,
  numbers: readonly number[],
): Promise<InstallationWithUser[]> {
  const answers: InstallationWithUser[] = []
  let characters = 0
  for (let from = 0; from < numbers.length; from += perRead) {
    const part = await readPart(ctx, numbers.slice(from, from + perRead))
    answers.push(...part)
    // What is read at once is small enough.
    if (numbers.length > perRead) characters += JSON.stringify(part).length
    if (characters > limits.answerBytes)
      throw new RequestError(
        'too-large',
        `The answer would be larger than ${limits.answerBytes} bytes after ${answers.length} installations: ask for fewer at a time.`,
      )
  }
  return answers
}

async function readPart(ctx: Context, numbers: readonly number[]): Promise<InstallationWithUser[]> {
  const stored = await readInstallations(
    db(ctx),
    numbers.map((installationNo) => ({ appId: ctx.app.id, installationNo })),
  )
  const extras = await readExtras(ctx, numbers)
  const answers = new Map(
    stored.map(({ installation }) => {
      const extra = extras.get(installation.installationNo as number)
      const tags = extra?.tags ?? []
      const answer = {
        ...showInstallation(ctx.app.label, installation),
        // [users-and-events.md#installations-and-users] What was set on the installation wins over the user's.
        userInfo: { ...extra?.user_attributes, ...extra?.own_attributes },
        tags: tags.map(({ tag }) => tag),
        tagValues: Object.fromEntries(tags.flatMap(({ tag, value }) => (value === null ? [] : [[tag, value]]))),
        connected: typeof extra?.is_open === 'boolean',
        isOpen: extra?.is_open ?? false,
      }
      return [installation.installationNo as number, answer] as const
    }),
  )
  return numbers.flatMap((installationNo) => answers.get(installationNo) ?? [])
}

/**
 * [users-and-events.md#attributes] Of the installation `i`: who may be anybody reads only those attributes `a` that
 * anybody may have set.
 */
function readableTo(ctx: Context): Sql {
  if (!ctx.client) return empty
  if (isUnverifiedClient(ctx)) return sql`and a.is_unverified`
  return sql`and (a.is_unverified or exists (
                      select from installation_details d
                      where d.app_id = i.app_id and d.installation_no = i.installation_no and d.verified_user_no = i.user_no))`
}

async function readExtras(ctx: Context, numbers: readonly number[]): Promise<Map<number, Extras>> {
  const readable = readableTo(ctx)
  const rows = await db(ctx).query<Extras>(
    sql`select i.installation_no,
          coalesce((select json_agg(json_build_object('tag', t.tag, 'value', t.value) order by t.tag) from user_tags t
                    where t.app_id = i.app_id and t.user_no = i.user_no), '[]') as tags,
          coalesce((select jsonb_object_agg(a.name, a.value) from user_attributes a
                    where a.app_id = i.app_id and a.user_no = i.user_no ${readable}), '{}') as user_attributes,
          coalesce((select jsonb_object_agg(a.name, a.value) from installation_attributes a
                    where a.app_id = i.app_id and a.installation_no = i.installation_no ${readable}), '{}') as own_attributes,
          (select c.is_open from connections c
           where c.app_id = i.app_id and c.installation_no = i.installation_no and ${isHeld}) as is_open
        from installations i
        where i.app_id = ${ctx.app.id} and i.installation_no = any(${[...numbers]}::bigint[])`,
    `read-installation-extras${ctx.client ? (isUnverifiedClient(ctx) ? '-unverified' : '-verified') : ''}`,
  )
  return new Map(rows.map((row) => [row.installation_no, row]))
}
