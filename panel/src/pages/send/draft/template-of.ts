import type { TemplateMessage } from '@peyk/contract'

/** Keyed by field, so that the compiler reports a missing one. */
const kept: Record<keyof TemplateMessage, true> = {
  content: true,
  alertText: true,
  data: true,
  notification: true,
  fallback: true,
  contents: true,
  ttl: true,
  inApp: true,
  live: true,
  autoNotify: true,
  useAsAlert: true,
  silent: true,
  category: true,
  quietHours: true,
  whenCapped: true,
}

/** A template has no recipients, time, campaign or test. The service refuses a template with any of them. */
export function templateOf(message: TemplateMessage): TemplateMessage {
  return Object.fromEntries(Object.entries(message).filter(([name]) => Object.hasOwn(kept, name)))
}
