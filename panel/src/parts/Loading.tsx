import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTexts } from '../texts/LanguageProvider.tsx'

/** The place of what is still to come. */
export function Loading({ rows = 4, height = 36 }: { rows?: number; height?: number }) {
  const { common } = useTexts()
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{common.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </Stack>
  )
}
