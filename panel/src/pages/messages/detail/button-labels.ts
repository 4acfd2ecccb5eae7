import type { MessageDetail } from '@peyk/contract'
import { nameVariables } from '#parts/template-text/split-template.ts'

/** What stands on the buttons of a message, by the id that devices report when one is pressed. */
export function buttonLabels({ notification }: Pick<MessageDetail, 'notification'>): ReadonlyMap<string, string> {
  const { actions = [] } = (notification ?? {}) as { actions?: { id?: string; title?: string }[] }
  const ids = actions.map(({ id = '' }) => id)
  // Of several buttons with one id, or with none, it is not known which was pressed.
  const isOnly = (id: string) => ids.filter((other) => other === id).length === 1
  return new Map(
    actions.flatMap(({ id = '', title }) => (title && isOnly(id) ? [[id, nameVariables(title)] as const] : [])),
  )
}
