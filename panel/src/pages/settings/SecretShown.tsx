import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../parts/copy/CopyButton.tsx'
import { useCopy } from '../../parts/copy/use-copy.ts'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './SecretShown.module.css'

interface SecretShownProps {
  label: string
  value: string
  use?: ReactNode
  /** Said instead of the warning that it is shown once. */
  warning?: ReactNode
  onDone(): void
}

/** What is shown once: whole, easy to copy, and with a word about what it is for. */
export function SecretShown({ label, value, use, warning, onDone }: SecretShownProps) {
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
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button variant="default" onClick={onDone}>
          {settings.done}
        </Button>
        <CopyAndClose value={value} onDone={onDone} />
      </Group>
    </Stack>
  )
}

/** What cannot be copied stays, selected. */
function CopyAndClose({ value, onDone }: Pick<SecretShownProps, 'value' | 'onDone'>) {
  const { settings, common } = useTexts()
  const toast = useToast()
  const { copy, isSaid, isCopied, label } = useCopy()
  const copyAndClose = async (button: Element) => {
    if (!(await copy(value, button))) return
    toast.done(common.copied)
    onDone()
  }
  return (
    <Button autoFocus data-autofocus onClick={({ currentTarget }) => void copyAndClose(currentTarget)}>
      {isSaid && !isCopied ? label : settings.copyAndClose}
    </Button>
  )
}
