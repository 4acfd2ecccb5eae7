import { Group, Text } from '@mantine/core'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './SegmentBuilder.module.css'
import type { useSegmentCount } from './use-segment-count.ts'

/** How many a segment finds. The last number stays, dimmed, while the next is counted. */
export function SegmentNumber({ of: counted, size = 28 }: { of: ReturnType<typeof useSegmentCount>; size?: number }) {
  const { segments: texts } = useTexts()
  const format = useFormat()
  const { data, isCounting, isComplete, hasRule, error } = counted
  const isOld = isCounting || error !== null
  return (
    <div role="status" aria-live="polite" aria-busy={isCounting}>
      <Group gap="xs" align="baseline" className={classes.number} data-old={isOld || undefined}>
        <Text fz={size} fw={650} lh={1.2} span c="inherit" data-testid="segment-count">
          {data ? format.number(data.count) : '–'}
        </Text>
        {data && (
          <Text c="dimmed" size="sm" span>
            {texts.devices(data.count, '').trim()} {texts.ofUsers(texts.users(data.users, format.number(data.users)))}
          </Text>
        )}
      </Group>
      {!isComplete && (
        <Text size="xs" c="dimmed">
          {hasRule ? texts.incomplete : texts.noRule}
        </Text>
      )}
    </div>
  )
}
