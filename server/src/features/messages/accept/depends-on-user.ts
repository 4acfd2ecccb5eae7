import type { MessageContent } from '../compose/compose-message.ts'

const template = /\{[{%]/

/**
 * Whether a message differs by user, or depends on the user for whether and when it is sent: through its texts and
 * codes, a category with caps and preferences, a test, or local times.
 */
export function dependsOnUser(body: MessageContent): boolean {
  const { category, variants, control, localTime } = body
  if (category !== undefined || variants || control !== undefined || localTime) return true
  return template.test(JSON.stringify(body))
}
