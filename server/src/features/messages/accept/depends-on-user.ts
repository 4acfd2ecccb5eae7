import type { MessageContent } from '../compose/compose-message.ts'

const template = /\{[{%]/

/**
 * Whether a message differs from user to user, or whether and when it goes is decided by user: by its texts and codes, its
 * category with caps and preferences, its test, or the clocks of its users.
 */
export function dependsOnUser(body: MessageContent): boolean {
  const { category, variants, control, localTime } = body
  if (category !== undefined || variants || control !== undefined || localTime) return true
  return template.test(JSON.stringify(body))
}
