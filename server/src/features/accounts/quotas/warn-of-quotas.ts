import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { settleAlert } from '../alerts/settle-alert.ts'
import { describeQuota, type QuotaName, type QuotaState, quotaNames } from './quota.ts'
import { readQuotaStates } from './read-quota-states.ts'

type Job = Pick<Context, 'store' | 'now' | 'log'>
type Level = 'quota-near' | 'quota-reached'

const near = 0.8

/** Raises an alert at 80 % of a quota and at all of it, once a month each, and settles them when there is room again. */
export async function warnOfQuotas(job: Job): Promise<void> {
  const states = await readQuotaStates(job.store)
  for (const { app_id, label, kind, subject } of await listOpen(job)) {
    const state = states.get(app_id)
    if (state && levelOf(state, subject) === kind) continue
    await settleAlert({ ...job, app: { id: app_id, label } }, { kinds: [kind], subject })
  }
  for (const [id, state] of states) {
    for (const name of quotaNames) {
      const level = levelOf(state, name)
      const ctx = { ...job, app: { id, label: state.label } }
      if (level && !(await wasToldThisMonth(ctx, level, name))) await tell(ctx, state, name, level)
    }
  }
}

function levelOf({ quotas, used }: QuotaState, name: QuotaName): Level | undefined {
  const limit = quotas[name]
  if (limit === undefined) return undefined
  if (used[name] >= limit) return 'quota-reached'
  return used[name] >= limit * near ? 'quota-near' : undefined
}

type AppJob = Job & Pick<Context, 'app'>

async function tell(ctx: AppJob, { quotas, resetsAt }: QuotaState, name: QuotaName, level: Level): Promise<void> {
  const limit = quotas[name] as number
  const quota = describeQuota(name, limit)
  const until = name === 'installations' ? '' : ` until ${resetsAt.toISOString().slice(0, 10)}`
  const text =
    level === 'quota-reached'
      ? `The quota of ${quota} is used up: ${whatIsRefused[name]}${until}. Whoever runs the service can raise it with peyk app quota.`
      : `80 % of the quota of ${quota} is used. When it is used up, ${whatIsRefused[name]}${until}.`
  await raiseAlert(ctx, { kind: level, subject: name, text, details: { quota: name, limit } })
}

const whatIsRefused: Record<QuotaName, string> = {
  messages: 'new messages are refused',
  deliveries: 'new messages are refused',
  events: 'events are not stored',
  sms: 'no SMS are sent',
  installations: 'new installations are refused',
}

async function listOpen({ store }: Job) {
  return store.query<{ app_id: number; label: string; kind: Level; subject: QuotaName }>(
    sql`select l.app_id, a.label, l.kind, l.subject from alerts l join apps a using (app_id)
        where l.kind in ('quota-near', 'quota-reached') and l.cleared_at is null`,
    'list-quota-alerts',
  )
}

/** Who has cleared it has seen it. */
async function wasToldThisMonth({ store, app }: AppJob, kind: Level, subject: QuotaName): Promise<boolean> {
  const [row] = await store.query<{ was_told: boolean }>(
    sql`select exists (
          select from alerts where app_id = ${app.id} and kind = ${kind} and subject = ${subject}
            and (cleared_at is null or raised_at >= date_trunc('month', peyk_now()))
        ) as was_told`,
    'was-quota-told',
  )
  return row?.was_told === true
}
