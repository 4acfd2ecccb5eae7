import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useContext } from 'react'
import { HeadingLevel } from './Panel.tsx'

interface EmptyStateProps {
  icon: Icon
  title: string
  text: ReactNode
  action?: ReactNode
  /** There is nothing else on the page: its title is the page's. */
  isPage?: boolean
}

/** Says what belongs here, and what to do about it. */
export function EmptyState({ icon: Sign, title, text, action, isPage = false }: EmptyStateProps) {
  const level = useContext(HeadingLevel)
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <Sign size={28} stroke={1.6} />
      </ThemeIcon>
      <Title order={isPage ? 1 : level} size="h4" mt="xs">
        {title}
      </Title>
      <Text c="dimmed" maw={460} component="div">
        {text}
      </Text>
      {action !== undefined && <div style={{ marginBlockStart: 8 }}>{action}</div>}
    </Stack>
  )
}
