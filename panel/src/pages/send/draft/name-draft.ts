import type { Draft } from './draft.ts'

const longest = 60

/** The first words of its text; empty while there is none. */
export function nameDraft({ notification, content, alertText }: Draft): string {
  const texts = [notification.title, content, notification.body, alertText]
  const [line = ''] = texts.map((text) => text.trim()).filter((text) => text !== '')
  const words = [...(line.split('\n')[0] as string)]
  return words.length <= longest ? words.join('') : `${words.slice(0, longest).join('').trimEnd()}…`
}
