import { Text } from '@mantine/core'
import type { ReceiverCount } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** Of the users who were named, those who get nothing: their number and the first few of them. */
export function MissingUsers({ unknown, unreached }: Pick<ReceiverCount, 'unknown' | 'unreached'>) {
  const { count: texts } = useTexts().send
  const format = useFormat()
  const list = ({ count, first }: { count: number; first: string[] }): string => {
    const some = first.slice(0, 5)
    return format.list(some) + (count > some.length ? texts.more : '')
  }
  return (
    <>
      {unknown && unknown.count > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {texts.unknown(unknown.count, format.number(unknown.count), list(unknown))}
        </Text>
      )}
      {unreached && unreached.count > 0 && (
        <Text size="sm" c="dimmed">
          {texts.unreached(unreached.count, format.number(unreached.count), list(unreached))}
        </Text>
      )}
    </>
  )
}
