import { Group, Text } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import { useFormat } from '../../texts/LanguageProvider.tsx'

/** More or less than before, as a share. */
export function Change({ share }: { share: number | undefined }) {
  const format = useFormat()
  if (share === undefined || Math.abs(share) < 0.0005) return <Text c="dimmed">–</Text>
  const Arrow = share > 0 ? IconArrowUpRight : IconArrowDownRight
  return (
    <Group gap={2} wrap="nowrap" component="span" display="inline-flex">
      <Arrow size={14} aria-hidden color={share > 0 ? 'var(--peyk-good)' : 'var(--mantine-color-dimmed)'} />
      <Text span size="sm">
        {format.percent(share)}
      </Text>
    </Group>
  )
}
