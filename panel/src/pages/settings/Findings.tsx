import { Group, Stack, Text } from '@mantine/core'
import type { Finding } from '@peyk/contract'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'

/** What the credential doctor found, in its words. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <Stack gap={6}>
      {findings.map(({ ok, text }) => (
        <Group key={text} gap={8} wrap="nowrap" align="flex-start">
          {ok ? (
            <IconCircleCheck size={18} color="var(--peyk-android)" aria-hidden style={{ flex: 'none' }} />
          ) : (
            <IconCircleX size={18} color="var(--mantine-color-error)" aria-hidden style={{ flex: 'none' }} />
          )}
          <Text size="sm">{text}</Text>
        </Group>
      ))}
    </Stack>
  )
}
