import { type Cap, capWindowMs, type DryRun } from '@peyk/contract'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Transaction } from '../../../base/store/store.ts'
import { getSendingRules, type SendingRules } from '../../accounts/sending/get-sending-rules.ts'
import type { Draft } from '../../messages/accept/draft-message.ts'
import { momentOf } from '../../messages/local-time/local-time.ts'
import type { When } from '../../messages/schedule/read-when.ts'
import { countsFor, free } from '../hand-over/cap.ts'
import { inControlGroup } from '../hand-over/control-group.ts'
import { decideHandOver } from '../hand-over/decide-hand-over.ts'
import { quietUntil } from '../hand-over/quiet-hours.ts'
import { rulesOf } from '../hand-over/rules-of-message.ts'
import { firstClock, zonesOf } from '../hand-over/user-clocks.ts'

type HeldBack = Required<Pick<DryRun, 'waiting' | 'ends'>>

/** Users of whom the same is known, by their installations. */
interface Group {
  is_control: boolean
  is_unwilling: boolean
  zones: string[] | null
  is_full: boolean
  count: number
}

/**
 * How many installations would have to wait for a message with a category, or would not get it, if it went
 * then. Undefined where it has none. How long a cap stays full is not asked: who waits for it is counted as waiting.
 */
export async function countHeldBack(
  tx: Transaction,
  { draft, found, position }: { draft: Draft; found: Sql; position: number },
  { dueAt, localTime }: When,
): Promise<HeldBack | undefined> {
  const ttl = draft.expiresAt.getTime() - draft.acceptedAt.getTime()
  const rules = rulesOf(draft.body, dueAt)
  const category = rules?.category
  if (!rules || category === undefined) return undefined
  const app = await getSendingRules(tx, draft.appId)
  const caps = app.caps.filter((cap) => countsFor(cap, category))
  const groups = await readGroups(tx, draft.appId, { found, position, category, app, caps, at: dueAt })
  const held: HeldBack = {
    waiting: { quietHours: 0, capped: 0 },
    ends: { control: 0, unsubscribed: 0, capped: 0, expired: 0 },
  }
  for (const { is_control, is_unwilling, is_full, zones, count } of groups) {
    const zone = firstClock(zones ?? []) ?? app.zone
    const at = (localTime && momentOf(localTime, zone, dueAt)) ?? dueAt
    const decision = decideHandOver(
      { ...rules, expiresAt: new Date(at.getTime() + ttl) },
      {
        isInControlGroup: is_control,
        isWanted: !is_unwilling,
        quietUntil: app.quietHours && quietUntil(at, zone, app.quietHours),
        cap: is_full ? { kind: 'full', cap: caps[0] as Cap, by: [], untilMs: at.getTime() } : free,
      },
    )
    if (decision.kind === 'wait') held.waiting[decision.for === 'cap' ? 'capped' : 'quietHours'] += count
    else if (decision.kind === 'end') held.ends[decision.reason] += count
  }
  return held
}

interface Asked {
  found: Sql
  position: number
  category: string
  app: SendingRules
  caps: readonly Cap[]
  at: Date
}

async function readGroups(tx: Transaction, appId: number, asked: Asked): Promise<Group[]> {
  const { found, position, category, app, caps, at } = asked
  return tx.query<Group>(sql`
    select is_control, is_unwilling, zones, is_full, sum(devices)::int as count
    from (
      select f.devices, ${inControlGroup(appId, sql`u.user_id`, app.controlGroup)} as is_control,
        exists (
          select from user_preferences p
          where p.app_id = ${appId} and p.user_no = f.user_no and p.category in ('*', ${category}) and not p.is_wanted
        ) as is_unwilling,
        ${app.quietHours ? zonesOf(appId, sql`f.user_no`) : sql`null::text[]`} as zones,
        ${
          caps.length > 0
            ? sql`coalesce(${join(
                caps.map((cap) => isFull(cap, at)),
                ' or ',
              )}, false)`
            : sql`false`
        } as is_full
      from (
        select user_no, count(*) as devices from (${found}) f where position = ${position} and is_member group by user_no
      ) f
      join users u on u.app_id = ${appId} and u.user_no = f.user_no
      left join recent_hand_overs r on r.app_id = ${appId} and r.user_no = f.user_no
    ) k
    group by is_control, is_unwilling, zones, is_full`)
}

/** Of the user's row `r`. */
function isFull({ count, categories, ...cap }: Cap, at: Date): Sql {
  const since = new Date(at.getTime() - capWindowMs(cap))
  const counted = categories ? sql`and use.category = any(${categories}::text[])` : sql``
  return sql`(
    select count(*) from unnest(r.times, r.categories) as use(at, category) where use.at > ${since} ${counted}) >= ${count}`
}
