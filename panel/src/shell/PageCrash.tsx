import { Button, Center } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { EmptyState } from '../parts/EmptyState.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'

/** A page that failed by our own fault, or whose files were replaced by a newer version's. */
export function PageCrash() {
  const { faults } = useTexts()
  return (
    <Center mih="60vh">
      <EmptyState
        isPage
        icon={IconAlertTriangle}
        title={faults.page}
        text={faults.pageText}
        action={<Button onClick={() => location.reload()}>{faults.reload}</Button>}
      />
    </Center>
  )
}
