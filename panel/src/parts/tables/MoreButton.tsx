import { Button, Group } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'

interface Paged {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** Under a list that goes on. */
export function MoreButton({ of: list }: { of: Paged }) {
  const { common } = useTexts()
  if (!list.hasNextPage) return null
  return (
    <Group justify="center" p="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {common.more}
      </Button>
    </Group>
  )
}
