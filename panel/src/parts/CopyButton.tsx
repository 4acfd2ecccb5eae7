import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTexts } from '../texts/LanguageProvider.tsx'

export function CopyButton({ value, size = 'sm' }: { value: string; size?: 'sm' | 'md' }) {
  const { common } = useTexts()
  const clipboard = useClipboard({ timeout: 1500 })
  const label = clipboard.copied ? common.copied : common.copy
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} onClick={() => clipboard.copy(value)}>
        {clipboard.copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}
