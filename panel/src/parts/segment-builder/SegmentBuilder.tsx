import { Divider, Stack, Text } from '@mantine/core'
import { SegmentNumber } from './SegmentNumber.tsx'
import { SegmentRules } from './SegmentRules.tsx'
import { SegmentSentence } from './SegmentSentence.tsx'
import type { SegmentValue } from './segment-draft.ts'
import { useSegmentCount } from './use-segment-count.ts'

interface SegmentBuilderProps {
  /** A segment as it goes over the wire; undefined is everybody. */
  value: unknown
  onChange(value: SegmentValue): void
}

/** Builds a segment and says underneath, in words and as a number, who that is. */
export function SegmentBuilder({ value, onChange }: SegmentBuilderProps) {
  const counted = useSegmentCount(value)
  return (
    <Stack gap="sm">
      <SegmentRules value={value} onChange={onChange} error={counted.error} />
      <Divider />
      <Stack gap={2}>
        <Text size="sm">
          <SegmentSentence value={value} />
        </Text>
        <SegmentNumber of={counted} size={22} />
      </Stack>
    </Stack>
  )
}
