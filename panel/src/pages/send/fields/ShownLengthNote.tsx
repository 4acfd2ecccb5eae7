import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import classes from './ImageField.module.css'
import type { Room, ShownLength } from './shown-length.ts'

/** How much of a text phones show: said when it gets long, a warning when some would cut it. */
export function ShownLengthNote({ length: { count, isCut, collapsed, expanded } }: { length: ShownLength }) {
  const { length: texts } = useTexts().send
  const format = useFormat()
  const say = (rooms: readonly Room[]) =>
    format.list(rooms.map(({ platform, about }) => texts.rooms[platform](format.number(about))))
  const sentences = [texts.count(format.number(count)), texts.collapsed(say(collapsed))]
  if (expanded.length > 0) sentences.push(texts.expanded(say(expanded)))
  return (
    <span className={classes.note} data-cut={isCut || undefined}>
      {isCut && <IconAlertTriangle size={14} aria-hidden />}
      <span>{sentences.join(' ')}</span>
    </span>
  )
}
