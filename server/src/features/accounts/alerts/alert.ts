import type * as contract from '@peyk/contract'
/** What a person may have to look at. */
export const alertKinds = [
  'provider-paused',
  'mass-invalidation',
  'wrong-environment',
  'sms-limit',
  'promo-low',
  'webhook-disabled',
  'credentials-unreadable',
  'too-many-value-names',
  'backup-failed',
  'restored',
  'month-missing',
  'role-missing',
  'quota-near',
  'quota-reached',
] as const
export type AlertKind = (typeof alertKinds)[number]

export type Alert = contract.AnswerOf<typeof contract.listAlerts>[number]

export interface AlertRow {
  alert_id: string
  kind: AlertKind
  subject: string
  text: string
  details: Record<string, unknown>
  raised_at: Date
  cleared_at: Date | null
}

export function readAlert(row: AlertRow): Alert {
  return {
    id: row.alert_id,
    kind: row.kind,
    subject: row.subject,
    text: row.text,
    details: row.details,
    raisedAt: row.raised_at.getTime(),
    ...(row.cleared_at && { clearedAt: row.cleared_at.getTime() }),
  }
}
