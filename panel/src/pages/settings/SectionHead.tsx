import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Above a section that is made of several panels. */
export function SectionHead({ title, lead, actions }: { title: string; lead: ReactNode; actions?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 16rem' }}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {lead}
        </Text>
      </div>
      {actions}
    </Group>
  )
}
