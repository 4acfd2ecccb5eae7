import { Box, Group } from '@mantine/core'
import { CopyButton } from './copy/CopyButton.tsx'

/** An id or a code: left to right in every language, whole, and easy to copy. */
export function Mono({ children, copy = false }: { children: string; copy?: boolean }) {
  const text = (
    <Box component="code" dir="ltr" ff="monospace" fz="0.92em" style={{ unicodeBidi: 'isolate' }}>
      {children}
    </Box>
  )
  if (!copy) return text
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
      {text}
      <CopyButton value={children} />
    </Group>
  )
}
