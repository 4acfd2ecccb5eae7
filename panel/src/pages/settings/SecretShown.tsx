import { Alert, Box, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../parts/copy/CopyButton.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './SecretShown.module.css'

interface SecretShownProps {
  label: string
  value: string
  use?: ReactNode
  /** Said instead of the warning that it is shown once. */
  warning?: ReactNode
}

/** What is shown once: whole, easy to copy, and with a word about what it is for. */
export function SecretShown({ label, value, use, warning }: SecretShownProps) {
  const { settings } = useTexts()
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group className={classes.secret} gap="xs" wrap="nowrap" justify="space-between">
        <Box component="code" dir="ltr" className={classes.value} data-secret>
          {value}
        </Box>
        <CopyButton value={value} size="md" />
      </Group>
      {use !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {use}
        </Text>
      )}
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} mt={4}>
        {warning ?? settings.once}
      </Alert>
    </Stack>
  )
}
