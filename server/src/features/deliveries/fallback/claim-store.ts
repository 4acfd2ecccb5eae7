import sql, { type Sql } from 'sql-template-tag'
import type { Database, Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import { chooseTexts, contentFor } from '../../messages/compose/choose-texts.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { type Assigned, assignUsers } from '../variants/assign-users.ts'
import { testOf } from '../variants/assign-variant.ts'
import { type FallbackState, isHeldBack, waitsForTurn } from './fallback-store.ts'

export type FallbackEnd = Extract<
  FallbackState,
  'cancelled' | 'expired' | 'no-provider' | 'no-phone' | 'refused' | 'over-limit'
>

export interface FallbackKey {
  appId: number
  messageId: string
  userId: string
}

export interface DueFallback extends FallbackKey {
  appLabel: string
  trackId: string | null
  /** The text of the SMS, in the language of the installation that the user visited last. */
  content: string
  isCancelled: boolean
  isExpired: boolean
  attributes: Record<string, unknown>
  /** The attribute `phone` was set by a client that may have been anybody. */
  isPhoneUnverified: boolean
  /** What of the message decides whether it may be sent; without a category and a test nothing keeps it back. */
  body: Pick<MessageContent, 'category' | 'quietHours' | 'whenCapped' | 'variants' | 'control'>
  /** What the test of the message gives the user, where it is one. */
  assigned?: Assigned | undefined
  delaySeconds: number
  expiresAt: Date | null
  userNo: number | null
}

/** SMS that are due, each app's oldest first, as many as it has room for; not those of paused messages. They are not taken yet. */
export async function listDue(
  store: Store,
  room: { perApp: number; inFlight: ReadonlyMap<number, number> },
  at: Date,
): Promise<DueFallback[]> {
  const rows = await listRows(store, room)
  const assigned = await assignDue(store, rows, at)
  return rows.map((row) => inWording(row, assigned.get(row)))
}

/** Of messages that are tests; usually there are none. */
async function assignDue(store: Store, rows: readonly DueRow[], at: Date): Promise<Map<DueRow, Assigned>> {
  const all = new Map<DueRow, Assigned>()
  const tested = rows.filter(({ texts }) => texts && testOf(texts))
  for (const own of Map.groupBy(tested, ({ messageId }) => messageId).values()) {
    const [{ appId, messageId: id, trackId, texts }] = own as [DueRow]
    const test = texts && testOf(texts)
    if (!test) continue
    const userIds = own.map(({ userId }) => userId)
    const assigned = await assignUsers(store, { appId, id, trackId: trackId ?? undefined, test }, userIds, at)
    for (const row of own) all.set(row, assigned.get(row.userId) as Assigned)
  }
  return all
}

/** What the message says, where that is not the same for all, and which language the user has. */
interface DueRow extends DueFallback {
  texts: MessageContent | null
  language: string | null
}

function inWording({ texts, language, ...due }: DueRow, assigned: Assigned | undefined): DueFallback {
  if (!texts) return due
  const variant = assigned && 'variant' in assigned ? assigned.variant : undefined
  const { fallback } = contentFor(texts, chooseTexts(texts, language, variant))
  const { variants, control } = texts
  const body = { ...due.body, ...(variants && { variants }), ...(control !== undefined && { control }) }
  return { ...due, body, assigned, content: fallback?.content ?? due.content }
}

function listRows(
  store: Store,
  { perApp, inFlight }: { perApp: number; inFlight: ReadonlyMap<number, number> },
): Promise<DueRow[]> {
  return store.query<DueRow>(
    sql`select f.app_id as "appId", a.label as "appLabel", f.message_id as "messageId", f.user_id as "userId",
          m.track_id as "trackId", coalesce(m.body -> 'fallback' ->> 'content', '') as content,
          case when m.body ?| ${worded} then m.body end as texts, case when m.body ?| ${worded} then (
            select i.language from users u join installations i on i.app_id = u.app_id and i.user_no = u.user_no
            where u.app_id = f.app_id and u.user_id = f.user_id
            order by i.uninstalled_at is null desc, i.launched_at desc limit 1) end as language,
          m.cancelled_at is not null as "isCancelled", m.id is null or coalesce(f.expires_at, m.expires_at) <= peyk_now() as "isExpired",
          t.attributes, t.is_phone_unverified as "isPhoneUnverified",
          jsonb_strip_nulls(jsonb_build_object('category', m.body -> 'category', 'quietHours', m.body -> 'quietHours',
            'whenCapped', m.body -> 'whenCapped')) as body,
          coalesce((m.body -> 'fallback' ->> 'delay')::float8, 0) as "delaySeconds", coalesce(f.expires_at, m.expires_at) as "expiresAt",
          (select user_no from users u where u.app_id = f.app_id and u.user_id = f.user_id) as "userNo"
        from apps a
        left join unnest(${[...inFlight.keys()]}::int[], ${[...inFlight.values()]}::int[]) as busy(app_id, count)
          on busy.app_id = a.app_id
        cross join lateral (
          select app_id, message_id, user_id, expires_at from sms_fallbacks f
          where app_id = a.app_id and state = 'waiting' and due_at <= peyk_now() and not ${isHeldBack} and not ${waitsForTurn}
          order by due_at limit greatest(0, ${perApp}::int - coalesce(busy.count, 0))
        ) f
        left join messages m on m.app_id = f.app_id and m.id = f.message_id
        cross join lateral (
          select coalesce(jsonb_object_agg(t.name, t.value), '{}') as attributes,
            coalesce(bool_or(t.is_unverified) filter (where t.name = 'phone'), false) as is_phone_unverified
          from users u join user_attributes t on t.app_id = u.app_id and t.user_no = u.user_no
          where u.app_id = f.app_id and u.user_id = f.user_id
        ) t
        where a.stopped_at is null`,
    'list-due-fallbacks',
  )
}

/** What of a message may make that not everybody gets the same. */
const worded: Sql = sql`array['contents', 'variants', 'control']`

export interface Claim extends FallbackKey {
  state: FallbackEnd | 'sending'
  detail: string | null
  phone: string | null
  reference: string | null
}

/**
 * Moves SMS out of 'waiting', those that nobody else holds, and says which are ours to send. Whether a device of the
 * user has reported is asked again in this statement: then it is cancelled instead.
 */
export async function claimFallbacks(
  tx: Transaction,
  claims: readonly Claim[],
): Promise<{ moved: number; sending: Set<string> }> {
  if (claims.length === 0) return { moved: 0, sending: new Set() }
  const rows = await tx.query<{ reference: string | null }>(
    sql`with own as (
          select f.app_id, f.message_id, f.user_id, k.state, k.detail, k.phone, k.reference, ${isReached} as is_reached
          from ${unnestRows(claims, 'k', {
            app_id: ['int', (each) => each.appId],
            message_id: ['uuid', (each) => each.messageId],
            user_id: ['text', (each) => each.userId],
            state: ['text', (each) => each.state],
            detail: ['text', (each) => each.detail],
            phone: ['text', (each) => each.phone],
            reference: ['uuid', (each) => each.reference],
          })}
          join sms_fallbacks f on f.app_id = k.app_id and f.message_id = k.message_id and f.user_id = k.user_id
          where f.state = 'waiting' and f.due_at <= peyk_now() and f.app_id <> all (${stoppedApps}) and not ${isHeldBack}
            and not ${waitsForTurn}
          order by f.app_id, f.message_id, f.user_id
          for update of f skip locked
        )
        update sms_fallbacks f
        set state = case when own.is_reached then 'cancelled' else own.state end,
          detail = case when own.is_reached then 'a device reported it' else own.detail end,
          phone = case when own.is_reached then null else own.phone end,
          reference = case when own.is_reached then null else own.reference end,
          updated_at = peyk_now()
        from own
        where f.app_id = own.app_id and f.message_id = own.message_id and f.user_id = own.user_id and f.state = 'waiting'
        returning case when f.state = 'sending' then f.reference end as reference`,
    'claim-fallbacks',
  )
  return { moved: rows.length, sending: new Set(rows.flatMap(({ reference }) => reference ?? [])) }
}

/** Of f: a delivery to an installation that was the user's when the message was accepted got as far as its policy asks. */
const isReached: Sql = sql`exists (
            select from messages m
            join users u on u.app_id = f.app_id and u.user_id = f.user_id
            join deliveries d on d.app_id = f.app_id and d.message_id = f.message_id
            join installations i on i.app_id = f.app_id and i.installation_no = d.installation_no
              and u.user_no in (i.user_no, i.login_user_no) and i.logged_in_at <= m.accepted_at
            where m.app_id = f.app_id and m.id = f.message_id and (
              d.state in ('shown', 'opened', 'acted', 'dismissed')
              or d.state = 'delivered' and m.body -> 'fallback' ->> 'policy' = 'NOT_RECEIVED'))`

export interface Postponed extends FallbackKey {
  seconds: number
  /** What they wait for. */
  detail: string
}

export async function postponeFallbacks(database: Database, postponed: readonly Postponed[]): Promise<void> {
  await database.query(
    sql`with own as (
          select f.app_id, f.message_id, f.user_id, k.seconds, k.detail
          from ${unnestRows(postponed, 'k', {
            app_id: ['int', (key) => key.appId],
            message_id: ['uuid', (key) => key.messageId],
            user_id: ['text', (key) => key.userId],
            seconds: ['float8', (key) => key.seconds],
            detail: ['text', (key) => key.detail],
          })}
          join sms_fallbacks f on f.app_id = k.app_id and f.message_id = k.message_id and f.user_id = k.user_id
          where f.state = 'waiting'
          order by f.app_id, f.message_id, f.user_id
          for update of f skip locked
        )
        update sms_fallbacks f set due_at = peyk_now() + make_interval(secs => own.seconds), detail = own.detail
        from own
        where f.app_id = own.app_id and f.message_id = own.message_id and f.user_id = own.user_id`,
    'postpone-fallbacks',
  )
}
