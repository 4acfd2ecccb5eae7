import { Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../texts/LanguageProvider.tsx'
import classes from './FunnelBars.module.css'
import { shareOf } from './measures.ts'

export interface FunnelStep {
  key: string
  label: ReactNode
  count: number
}

/** How many are left after each step; the share is of the first, as the bar is. */
export function FunnelBars({ steps }: { steps: readonly FunnelStep[] }) {
  const format = useFormat()
  const whole = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <Stack gap="sm" component="ol" className={classes.list}>
      {steps.map(({ key, label, count }, index) => {
        const part = index === 0 ? undefined : shareOf(count, steps[0]?.count ?? 0)
        return (
          <li key={key} className={classes.step}>
            <Group justify="space-between" align="flex-end" gap="xs" mb={4} wrap="nowrap">
              <Text size="sm" component="div">
                {label}
              </Text>
              <Group gap="xs" wrap="nowrap" flex="none">
                <Text size="sm" fw={650} className={classes.number}>
                  {format.number(count)}
                </Text>
                <Text size="sm" c="dimmed" className={classes.share}>
                  {part === undefined ? '' : format.percent(part)}
                </Text>
              </Group>
            </Group>
            <Box className={classes.track}>
              <Box className={classes.bar} style={{ inlineSize: `${(count / whole) * 100}%` }} />
            </Box>
          </li>
        )
      })}
    </Stack>
  )
}
