import { Progress } from '@mantine/core'
import type { PromoSet } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** How much of a set is used up. */
export function UsageBar({ set }: { set: PromoSet }) {
  const { promo: texts } = useTexts()
  const format = useFormat()
  const used = set.given + set.alreadyUsed
  return (
    <Progress.Root size="md">
      <Progress.Section
        value={set.codes === 0 ? 0 : Math.min(100, Math.round((used / set.codes) * 100))}
        color={set.isLow ? 'orange' : 'courier'}
        aria-label={texts.usage(format.number(used), format.number(set.codes))}
      />
    </Progress.Root>
  )
}
