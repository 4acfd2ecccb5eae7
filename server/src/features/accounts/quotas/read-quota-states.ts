import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { monthAfter, type QuotaState, type Quotas } from './quota.ts'

interface Row {
  app_id: number
  label: string
  quotas: Quotas
  month: Date
  messages: number
  deliveries: number
  events: number
  sms: number
  sms_before: number
  installations: number
}

/** Of all apps with quotas what they have used in this month. Those of a new app were not counted yet: all are new. */
export async function readQuotaStates(database: Database): Promise<Map<number, QuotaState & { label: string }>> {
  const rows = await database.query<Row>(
    sql`select a.app_id, a.label, a.quotas, t.month, u.messages, u.deliveries, u.events, s.sms, s.sms_before,
          coalesce(i.installations, u.all_new)::bigint as installations
        from apps a
        cross join (select date_trunc('month', peyk_now()) as month) t
        cross join lateral (
          select coalesce(sum(messages) filter (where d.day >= t.month::date), 0)::bigint as messages,
            coalesce(sum(deliveries) filter (where d.day >= t.month::date), 0)::bigint as deliveries,
            coalesce(sum(events) filter (where d.day >= t.month::date), 0)::bigint as events,
            coalesce(sum(new_installations), 0) as all_new
          from usage_days d where d.app_id = a.app_id
        ) u
        cross join lateral (
          select coalesce(sum(sent), 0)::bigint as sms,
            coalesce(sum(sent) filter (where d.day < peyk_now()::date), 0)::bigint as sms_before
          from sms_days d where d.app_id = a.app_id and d.day >= t.month::date
        ) s
        left join lateral (
          select installations from usage_days d
          where d.app_id = a.app_id and d.installations is not null order by d.day desc limit 1
        ) i on true
        where a.quotas is not null
        order by a.app_id`,
    'read-quota-states',
  )
  return new Map(rows.map((row) => [row.app_id, stateOf(row)]))
}

function stateOf({ label, quotas, month, sms_before, ...row }: Row): QuotaState & { label: string } {
  const { messages, deliveries, events, sms, installations } = row
  return {
    label,
    quotas,
    used: { messages, deliveries, events, sms, installations },
    smsBefore: sms_before,
    resetsAt: monthAfter(month),
  }
}
