import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost } from './lost-focus.ts'

interface PageHeadProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** Above the title: where this page belongs. */
  above?: ReactNode
}

export function PageHead({ title, lead, actions, above }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Peyk`
  }, [title])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isFocusLost()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg" wrap="wrap">
      <Box style={{ flex: '1 1 18rem', minWidth: 0 }}>
        {above}
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </Title>
        {lead !== undefined && (
          <Text c="dimmed" mt={4} maw={760} component="div">
            {lead}
          </Text>
        )}
      </Box>
      {actions !== undefined && (
        <Group gap="sm" maw="100%">
          {actions}
        </Group>
      )}
    </Group>
  )
}
