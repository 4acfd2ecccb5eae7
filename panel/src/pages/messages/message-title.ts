import type { Message } from '@peyk/contract'
import { nameVariables } from '../../parts/template-text/split-template.ts'

/** What a message is called by: its title, or the beginning of its text. */
export function titleOf({
  notification,
  alertText,
  content,
}: Pick<Message, 'notification' | 'alertText' | 'content'>): string | undefined {
  const title = (notification as { title?: string } | undefined)?.title
  const text = nameVariables(title || alertText || content || '')
  return text.length > 90 ? `${text.slice(0, 90).trimEnd()}…` : text || undefined
}
