import { nameVariables } from '../../parts/template-text/split-template.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import type { Item } from './days/day-content.ts'

/** What a message is called by. */
export function nameOf({ title }: Pick<Item, 'title'>): string | undefined {
  const name = nameVariables(title ?? '')
  return name.length > 90 ? `${name.slice(0, 90).trimEnd()}…` : name || undefined
}

/** What is to be known of an item besides its time and its name. */
export function useItemWords(): (item: Item, category: string | undefined) => string[] {
  const { calendar: texts } = useTexts()
  const format = useFormat()
  return (item, category) => {
    const { flags } = texts
    const words = [texts.devices(item.count, format.number(item.count))]
    if (category !== undefined) words.push(category)
    if (item.kind === 'further') words.push(flags.further)
    else if (item.seriesId !== undefined) words.push(flags.series)
    if (item.kind === 'sent') words.push(flags[item.state])
    else {
      if (item.isChanged) words.push(flags.changed)
      if (item.isPaused) words.push(flags.paused)
      if (item.isClose) words.push(flags.close)
    }
    return words
  }
}
