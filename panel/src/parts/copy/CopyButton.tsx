import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from './use-copy.ts'

export function CopyButton({ value, size = 'sm' }: { value: string; size?: 'sm' | 'md' }) {
  const { copy, isCopied, isSaid, label } = useCopy()
  return (
    <Tooltip label={label} {...(isSaid && { opened: true })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        onClick={({ currentTarget }) => void copy(value, currentTarget)}
      >
        {isCopied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}
