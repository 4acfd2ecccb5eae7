import type { Texts } from '../../texts/en.ts'

/** The label that a field of the request has on the page. */
export function fieldLabel(
  field: string,
  { fields, actions, sms, pace, ttl, when, repeat, values }: Texts['send'],
): string {
  const labels: Record<string, string> = {
    content: fields.content,
    data: fields.data,
    ttl,
    'throttle.perMinute': pace.label,
    sendAt: when.at,
    'repeat.rule': repeat.label,
    'repeat.until': repeat.until,
    'repeat.count': repeat.count,
    'notification.body': fields.body,
    'notification.vibrate': fields.vibrate,
    'fallback.content': sms.content,
    'fallback.delay': sms.delay,
  }
  if (field.startsWith('values.')) return values.label(field.slice('values.'.length))
  return field.startsWith('notification.actions') ? actions.label : (labels[field] ?? field)
}
