import { Group, Text } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../texts/LanguageProvider.tsx'
import { Explained } from '../Explained.tsx'
import { Panel } from '../Panel.tsx'

interface NumberCardProps {
  label: ReactNode
  value: ReactNode
  /** Change against the period before, as a share: 0.1 is ten percent more. */
  change?: number | undefined
  changeLabel?: string
  /** More is worse: uninstalls. */
  isBad?: boolean
  note?: ReactNode
}

export function NumberCard({ label, value, change, changeLabel, isBad = false, note }: NumberCardProps) {
  const format = useFormat()
  const isUp = (change ?? 0) > 0
  const Arrow = isUp ? IconArrowUpRight : IconArrowDownRight
  return (
    <Panel>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group gap="xs" align="baseline" wrap="wrap">
        <Text fz={28} fw={650} lh={1.25} component="div">
          {value}
        </Text>
        {change !== undefined && change !== 0 && Number.isFinite(change) && (
          <Explained text={changeLabel}>
            <Group
              gap={2}
              component="span"
              display="inline-flex"
              c={isUp === isBad ? 'var(--mantine-color-error)' : 'var(--peyk-good)'}
              wrap="nowrap"
            >
              <Arrow size={16} aria-hidden />
              <Text size="sm" fw={600} span>
                {format.percent(Math.abs(change))}
              </Text>
            </Group>
          </Explained>
        )}
      </Group>
      {note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Panel>
  )
}
