import { Button, Center } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/EmptyState.tsx'
import { useTexts } from '../texts/LanguageProvider.tsx'

export function NoSuchPage() {
  const { shell } = useTexts()
  return (
    <Center mih="60vh">
      <EmptyState
        isPage
        icon={IconMapOff}
        title={shell.notFound}
        text={shell.notFoundText}
        action={<Button renderRoot={(props) => <Link {...props} to="/" />}>{shell.toOverview}</Button>}
      />
    </Center>
  )
}
